import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callTool, connectClient } from '../support/mcp-client.js'
import { type RunningService, startService } from '../support/start-service.js'

// Pipelines nobody should send, sent by a real client to the real service: each gets its sentence, and the service
// answers on.

const dataDir = mkdtempSync(join(tmpdir(), 'earshot-hostile-'))
let service: RunningService
let client: Client

beforeAll(async () => {
  service = await startService({
    dataDir,
    calls: 300,
    env: { EARSHOT_QUERY_TIMEOUT: '3s', EARSHOT_EVALUATION_MEMORY: '64MiB', EARSHOT_REQUESTS_PER_MINUTE: '100000' },
  })
  client = await connectClient(service.mcp_url, service.application_key)
})
afterAll(async () => {
  await client?.close()
  await service?.end()
  rmSync(dataDir, { recursive: true, force: true })
})

const ask = async (pipeline: unknown) =>
  (await callTool(client, 'query_interactions', { pipeline })) as { readonly error?: string; readonly count?: number }

/** The most memory the service has had at a time, in MiB; where the system tells. */
function peakMemory(): number | undefined {
  if (!existsSync('/proc/self/status')) return undefined
  const own = String(service.process.pid)
  const peaks = readdirSync('/proc')
    .filter(pid => /^\d+$/.test(pid))
    .flatMap(pid => {
      try {
        const status = readFileSync(`/proc/${pid}/status`, 'utf8')
        const parent = /^PPid:\s+(\d+)/m.exec(status)?.[1]
        return pid === own || parent === own ? [Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024] : []
      } catch {
        return [] // It has ended meanwhile.
      }
    })
  return Math.max(...peaks)
}

const nested = (levels: number): object => (levels === 0 ? { a: 1 } : { $and: [nested(levels - 1)] })
const apart = { $redact: '$$DESCEND' }
const reduce = (initialValue: unknown, inside: unknown) => ({
  $reduce: { input: { $range: [0, 100_000] }, initialValue, in: inside },
})

const refused: readonly (readonly [string, unknown, RegExp])[] = [
  ['not an array', { $match: {} }, /^pipeline: is an array of stages/],
  ['a text', 'drop table calls', /^pipeline: is a text and no JSON array/],
  ['51 stages', Array.from({ length: 51 }, () => ({ $skip: 1 })), /^pipeline: has 51 stages; at most 50/],
  ['65 KiB', [{ $match: { title: 'x'.repeat(66_000) } }], /^pipeline: is \d+ bytes long; at most 65536/],
  ['depth 33', [{ $match: nested(17) }], /^pipeline: is nested deeper than 32 levels/],
  [
    'a stage with a typo',
    [{ $macth: {} }],
    /^pipeline\[0\]\.\$macth: The stage "\$macth" is not known\. Did you mean \$match\?/,
  ],
  ['a stage with two operators', [{ $match: {}, $limit: 1 }], /^pipeline\[0\]: a stage has exactly one key, not 2/],
  [
    '$where in a facet',
    [{ $facet: { a: [{ $match: { $where: '1' } }] } }],
    /^pipeline\[0\]\.\$facet\.a\[0\]\.\$match\.\$where: .*runs code/,
  ],
  ['$$USER_ROLES', [{ $set: { x: '$$USER_ROLES' } }], /"\$\$USER_ROLES" is not allowed: it looks at the server/],
  ['an empty part of a path', [{ $match: { 'a..b': 1 } }], /has an empty part/],
  ['a collision', [{ $project: { a: 1, 'a.b': 1 } }], /the paths "a" and "a\.b" collide/],
  ['$limit 0', [{ $limit: 0 }], /^pipeline\[0\]\.\$limit: /],
  ['a negative $skip', [{ $skip: -1 }], /^pipeline\[0\]\.\$skip: /],
  ['an invalid pattern', [{ $match: { title: { $regex: '(' } } }], /^pipeline\[0\]\.\$match\.title\.\$regex: /],
  ['look-ahead', [{ $match: { title: { $regex: '(?=a)b' } } }], /look-ahead/],
  ['__proto__', JSON.parse('[{"$set":{"__proto__":{"a":1}}}]'), /"__proto__" is not allowed/],
  [
    'division by zero',
    [{ $set: { x: { $divide: ['$score', 0] } } }],
    /^pipeline\[0\]\.\$set\.x\.\$divide: \$divide .*zero/,
  ],
  ['$toInt of "x"', [{ $set: { x: { $toInt: 'x' } } }], /\$toInt can not/],
  [
    'a time zone there is not',
    [{ $set: { x: { $hour: { date: '$created_dt', timezone: 'Mars/Base' } } } }],
    /time zone|timezone/i,
  ],
  [
    '10^9 documents',
    [{ $densify: { field: 'score', range: { step: 1, bounds: [0, 1e9] } } }],
    /^pipeline\[0\]\.\$densify: \$densify would add more than/,
  ],
  [
    'an array that doubles',
    [{ $project: { x: reduce([1], { $concatArrays: ['$$value', '$$value'] }) } }],
    /^pipeline\[0\]\S+\.\$concatArrays: \$concatArrays makes an array of more than/,
  ],
  [
    'a text that doubles',
    [apart, { $project: { x: reduce('ab', { $concat: ['$$value', '$$value'] }) } }],
    /^pipeline\[1\]\S+\.\$concat: \$concat makes a string longer than 16 MiB/,
  ],
  [
    'a value that nests',
    [apart, { $project: { x: reduce([], ['$$value']) } }],
    /^pipeline\[1\]\S+\.\$reduce: \$reduce makes a value nested deeper than 100 levels/,
  ],
  [
    'a result of many MB',
    [{ $set: { x: { $range: [0, 5_000] } } }, { $group: { _id: null, all: { $push: '$$ROOT' } } }],
    /larger than 60000 bytes/,
  ],
  [
    'the same after the engine',
    [apart, { $set: { x: { $range: [0, 5_000] } } }, { $group: { _id: null, all: { $push: '$$ROOT' } } }],
    /larger than 60000 bytes|MiB of memory/,
  ],
  [
    'more memory than there is',
    [apart, { $project: { x: { $range: [0, 900_000] } } }, { $unwind: '$x' }, { $set: { y: { a: '$x' } } }],
    /64 MiB of memory|limit of 3 s/,
  ],
]

const inEngine = (...stages: readonly object[]) => [...stages, { $count: 'n' }]
const each = (input: unknown, inside: unknown) => ({ $map: { input, in: inside } })
const grows = (times: number, stage: object) => Array.from({ length: times }, () => stage)
const range = { $range: [0, 10_000] }
const everything = { $push: '$$ROOT' }

/** What multiplies its values: one after the other, and eight at once of as many keys. */
const growing: readonly (readonly [string, readonly object[]])[] = [
  [
    'a range for each of a range',
    inEngine({ $set: { x: each(range, each(range, '$$this')) } }, { $match: { x: [1] } }),
  ],
  [
    'an array doubled 48 times',
    inEngine({ $set: { x: [1] } }, ...grows(48, { $set: { x: { $concatArrays: ['$x', '$x'] } } })),
  ],
  [
    'a text doubled 48 times',
    inEngine(...grows(48, { $set: { title: { $concat: ['$title', '$title'] } } }), { $match: { title: 'x' } }),
  ],
  [
    'a document doubled 48 times',
    inEngine(...grows(48, { $set: { title: { a: '$title', b: '$title' } } }), { $match: { title: 'x' } }),
  ],
  [
    'a list for each of itself',
    [{ $set: { x: range } }, { $set: { x: each('$x', '$x') } }, { $project: { n: { $size: '$x' } } }],
  ],
  [
    'ranges zipped',
    [
      { $project: { x: { $zip: { inputs: [range, range, { $range: [0, 1_000_000] }] } } } },
      { $project: { n: { $size: '$x' } } },
    ],
  ],
  [
    'windows over everything',
    [
      {
        $setWindowFields: {
          sortBy: { created_dt: 1 },
          output: { all: { ...everything, window: { documents: ['unbounded', 'current'] } } },
        },
      },
      { $group: { _id: null, all: { $push: '$all' } } },
      { $project: { n: { $size: '$all' } } },
    ],
  ],
  [
    'everything for each of everything',
    [
      { $group: { _id: null, all: everything } },
      { $set: { one: '$all' } },
      { $unwind: '$one' },
      { $group: { _id: null, all: { $push: '$all' } } },
      { $project: { n: { $size: '$all' } } },
    ],
  ],
  [
    'eight facets of everything',
    [
      {
        $facet: Object.fromEntries(
          Array.from({ length: 8 }, (_, i) => [`f${i}`, [{ $group: { _id: null, all: everything } }]]),
        ),
      },
      { $project: { n: { $size: '$f1' } } },
    ],
  ],
  [
    '$bucketAuto of everything',
    [
      { $bucketAuto: { groupBy: '$_id', buckets: 3, output: { all: everything } } },
      { $project: { n: { $size: '$all' } } },
    ],
  ],
  [
    '$densify near its cap',
    [
      { $densify: { field: 'score', range: { step: 0.00006, bounds: [0, 5] } } },
      { $group: { _id: null, all: everything } },
      { $project: { n: { $size: '$all' } } },
    ],
  ],
]

describe('what multiplies its values ends in time and memory', () => {
  test.each(growing)('%s', async (_what, pipeline) => {
    const started = performance.now()
    await ask(pipeline)
    // The deadline is 3 s, and the machine may be busy; without it these go on for minutes.
    expect(performance.now() - started).toBeLessThan(60_000)
    expect(await ask([{ $count: 'n' }])).toMatchObject({ count: 1 })
  })

  test('eight at once, and the service has taken less than 1.5 GiB', async () => {
    const keys = await Promise.all(
      Array.from({ length: 8 }, async (_, i) => {
        const minted = await fetch(`${service.api_url}/projects/${service.project_id}/mcp-keys`, {
          method: 'POST',
          headers: { authorization: `Bearer ${service.admin_token}`, 'content-type': 'application/json' },
          body: JSON.stringify({ name: `key ${i}` }),
        })
        return (await minted.json()) as { readonly key: string }
      }),
    )
    const clients = await Promise.all(keys.map(one => connectClient(service.mcp_url, one.key)))
    try {
      await Promise.all(
        clients.map((one, i) => callTool(one, 'query_interactions', { pipeline: growing[i % growing.length]![1] })),
      )
    } finally {
      await Promise.all(clients.map(one => one.close()))
    }
    expect(await ask([{ $count: 'n' }])).toMatchObject({ count: 1 })
    expect(peakMemory() ?? 0).toBeLessThan(1_536)
  })
})

/** What a pipeline is refused with: on a busy machine the deadline of 3 s may come first. */
async function refusalOf(pipeline: unknown) {
  for (let left = 9; ; left -= 1) {
    // oxlint-disable-next-line no-await-in-loop -- again where it has to be
    const answer = await ask(pipeline)
    if (left === 0 || !/did not finish/.test(answer.error ?? '')) return answer
  }
}

describe('a pipeline with', () => {
  test.each(refused)('%s fails with its sentence', async (_what, pipeline, sentence) => {
    const answer = await refusalOf(pipeline)
    expect(answer.error).toMatch(sentence)
    expect(answer.error).not.toMatch(/select |duckdb|node:|\.js/i)
    expect(await ask([{ $count: 'n' }])).toMatchObject({ count: 1 })
  })
})

test('a light tool of another key answers on while eight pipelines run to their deadline', async () => {
  const input = { $range: [0, 1_000_000] }
  const endless = [apart, { $project: { x: { $map: { input, in: reduce(0, { $add: ['$$value', 1] }) } } } }]
  const minted = await fetch(`${service.api_url}/projects/${service.project_id}/mcp-keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.admin_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Another' }),
  })
  const another = await connectClient(service.mcp_url, ((await minted.json()) as { key: string }).key)
  const clients = await Promise.all(
    Array.from({ length: 8 }, () => connectClient(service.mcp_url, service.application_key)),
  )
  try {
    const started = performance.now()
    const running = Promise.all(
      clients.map(one => callTool(one, 'query_interactions', { pipeline: endless }) as Promise<{ error: string }>),
    )
    const state = { ended: false }
    const ending = running.finally(() => (state.ended = true))
    let answered = 0
    while (!state.ended) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other while they run
      const answer = (await callTool(another, 'search_calls', { limit: 1 })) as { count?: number; error?: string }
      // What takes over its tenth of a second on a busy machine goes on beside the heavy ones, with their deadline.
      expect(answer.error ?? 'answered').toMatch(/^answered$|waited for earlier heavy questions|limit of 3 s/)
      answered += answer.count ?? 0
    }
    for (const { error } of await ending)
      expect(error).toMatch(/limit of 3 s|waiting already|waited for earlier heavy questions/)
    expect(answered).toBeGreaterThan(0)
    // A hang guard: the deadline is 3 s.
    expect(performance.now() - started).toBeLessThan(60_000)
  } finally {
    await Promise.all([another, ...clients].map(one => one.close()))
  }
})
