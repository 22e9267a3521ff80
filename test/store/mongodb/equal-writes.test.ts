import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import type { CallRecord } from '../../../src/calls/call-record.js'
import { generateCalls } from '../../../src/demo/generate-calls.js'
import { narrow, parsePipeline } from '../../../src/pipeline/index.js'
import { scope } from '../../../src/pipeline/scope.js'
import type { LiftQuery, PlacedLift } from '../../../src/store/lift-store.js'
import type { EvaluationChoice, Store } from '../../../src/store/store.js'
import { type Asking, asking } from '../../support/asking.js'
import { mongoStore, type OpenedMongo } from '../../support/mongodb/mongo-store.js'
import { call } from '../duckdb/support.js'

/** What is done with calls beside questions comes to the same on the embedded store and over the driver. */

const END = new Date('2026-03-15T12:00:00Z')
const demo = [...generateCalls({ calls: 80, seed: 9, agents: 4, end: END }).lines].map(line => {
  const one = JSON.parse(line) as CallRecord
  const evaluated = { evaluator: 'rules', rubric: 'r', rubric_version: '1', evaluated_at: '2026-03-14T00:00:00Z' }
  // Some by a rubric before, some that are not compared, one that nobody evaluated.
  const n = createHash('sha256').update(one.session_id).digest().readUInt16BE(0)
  const evaluation = n % 5 === 0 ? { ...evaluated, rubric_version: '0' } : evaluated
  const conditions =
    n % 7 === 0 ? [] : [{ key: 'csat', text: 'x 3: asked' }, { key: 'hold', turn: n % 9 }, { key: 'csat' }]
  return {
    ...one,
    agent_id: one.agent_name.toLowerCase(),
    evaluation,
    conditions,
    session_metadata: { paid: n % 2 === 0 },
  }
})

let embedded: Asking
let mongo: OpenedMongo
let stores: readonly [Pick<Store, 'calls' | 'run' | 'stream'>, Pick<Store, 'calls' | 'run' | 'stream'>]
beforeAll(async () => {
  embedded = await asking()
  mongo = await mongoStore()
  stores = [mongo.store, embedded.store]
  await both(({ calls }) =>
    calls.upsert(
      'p',
      demo.map(one => call(one.session_id, one)),
    ),
  )
  return async () => {
    await embedded.close()
    await mongo.end()
  }
})

/** What comes of the same on either store; it has to be equal. */
async function both<T>(work: (store: (typeof stores)[number]) => Promise<T>): Promise<T> {
  const [there, here] = await Promise.all([work(stores[0]), work(stores[1])])
  expect(there).toEqual(here)
  return there
}

async function gathered<T>(pages: AsyncIterable<readonly T[]>): Promise<readonly T[]> {
  const all: T[] = []
  for await (const page of pages) all.push(...page)
  return all
}

const read = async (store: Pick<Store, 'run'>, project: string, ...stages: object[]) => {
  const asked = narrow(parsePipeline(stages), scope(project, 'all'))
  return (await store.run(asked, { lane: 'heavy', deadlineMs: 60_000, maxDocuments: 1_000 })).documents
}

describe('outcome lift', () => {
  const signals = [...new Set(demo.flatMap(({ signals: some = [] }) => some.map(({ key }) => key)))].slice(0, 12)
  const query: LiftQuery = {
    evaluator: 'rules',
    rubric: 'r',
    rubricVersion: '1',
    signals,
    parts: ['csat', 'hold'],
    times: ' x (\\d+)',
  }

  it.each([
    ['a predicted outcome', query],
    ['an outcome in a field', { ...query, outcomeField: 'paid' }],
    ['conditions that say how often', { ...query, times: 'x (\\d+)' }],
    ['nothing by that rubric', { ...query, rubric: 'other' }],
  ])('is fitted on the same calls: %s', async (_, asked) => {
    const count = await both(({ calls }) => calls.countLiftCalls('p', asked))
    const counted = await gathered(mongo.store.calls.alikeCalls('p', asked, 4_096))
    expect(counted.reduce((sum, { calls }) => sum + calls, 0)).toBe(count)
    for (const parts of [4_096, 1_500]) {
      // oxlint-disable-next-line no-await-in-loop -- two
      await both(async ({ calls }) => {
        const alike = await gathered(calls.alikeCalls('p', asked, parts))
        // Of calls that are alike but for the fold, which comes first is free.
        return alike.map(({ keys, ...one }) => JSON.stringify(known({ ...one, keys: `${keys}` }))).toSorted()
      })
    }
  })

  it('is written to calls that are still as they were found, and nowhere else', async () => {
    const written = await both(async ({ calls }) => {
      let count = 0
      for await (const page of calls.liftPages('p', query)) {
        const lifts = page.calls.map(({ place, seen }, i): PlacedLift => {
          const evaluated = i % 4 === 0 ? place.evaluated + 1n : place.evaluated
          const lift = { lift: 0.25, lift_band: 'positive', p_behavioral: 0.75, p_context: 0.5 } as const
          return { place: { ...place, evaluated }, lift: seen === undefined ? undefined : lift }
        })
        count += await calls.writeLifts('p', query, page, lifts)
      }
      return count
    })
    expect(written).toBeGreaterThan(20)
    const counted = { $group: { _id: null, n: { $sum: '$outcome_lift.lift' } } }
    await both(store => read(store, 'p', { $match: { outcome_lift: { $exists: true } } }, counted))
  })
})

describe('calls that are chosen to be evaluated', () => {
  const choice = { rubric: 'r', rubricVersion: '1', before: Date.UTC(2026, 2, 14) + 1 }
  const chosen: readonly (readonly [string, EvaluationChoice])[] = [
    ['pending', { ...choice, which: 'pending' }],
    ['stale', { ...choice, which: 'stale' }],
    ['all', { ...choice, which: 'all' }],
    ['all that are not done', { ...choice, which: 'all', before: Date.UTC(2026, 2, 1) }],
    ['everything', { ...choice, which: 'everything' }],
  ]
  it.each(chosen)('are the same, and what is read of them: %s', async (_, asked) => {
    await both(({ calls }) => calls.upsert('pending', [call('a'), call('b', { signals: [] }), call('c', { score: 3 })]))
    for (const project of ['p', 'pending']) {
      // oxlint-disable-next-line no-await-in-loop -- two
      const [count, ids] = await both(async ({ calls }) => {
        const found = await calls.chooseToEvaluate(project, asked)
        const ids: unknown[] = []
        for (let from: bigint | undefined = found.first; from !== undefined;) {
          // oxlint-disable-next-line no-await-in-loop -- pages
          const page = await calls.toEvaluate(project, found, from)
          ids.push(...page.calls.map(({ session_id: id, json }) => [id, known(JSON.parse(json))]))
          from = page.next
        }
        return [found.count, ids.map(one => JSON.stringify(one)).toSorted()] as const
      })
      expect(ids).toHaveLength(count)
    }
  })

  it('are as many as are asked for', async () => {
    const [found, again] = await Promise.all(
      [0, 1].map(() => mongo.store.calls.chooseToEvaluate('p', { ...choice, which: 'everything', sample: 7 })),
    )
    expect(found?.count).toBe(7)
    expect(found).toEqual(again)
    const page = await mongo.store.calls.toEvaluate('p', found!, found!.first)
    expect(page.calls).toHaveLength(7)
  })
})

/** A value without what is null: unknown is that, or is not there. */
function known(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(known)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([, inner]) => inner !== null)
  return Object.fromEntries(
    entries.map(([name, inner]): [string, unknown] => [name, known(inner)]).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )
}

describe('calls whose ids are those of their files', () => {
  const words = createHash('sha256').update('Hello\nBye').digest('hex')
  const transcript = ['Hello', 'Bye'].map((text, turn) => ({ turn, actor: 'agent', text }))
  const began = Date.parse('2026-03-01T12:00:00.000Z')
  const placed = (id: string, fields: object, by: object) => ({ ...call(id, fields), placed: { began, words, ...by } })

  it('replace the same call, are kept out by another, and take the place of their bare names', async () => {
    await both(({ calls }) =>
      calls.upsert('placed', [
        call('same', { transcript }),
        call('other', { agent_name: 'Bo', created_dt: '2025-01-01T00:00:00Z' }),
        call('bare', { transcript }),
        call('bare-of-other', { agent_name: 'Cy', created_dt: '2025-01-01T00:00:00Z' }),
      ]),
    )
    const incoming = [
      placed('same', { transcript, title: 'again' }, {}),
      placed('other', { transcript }, {}),
      placed('folder/bare', { transcript }, { bare: 'bare' }),
      placed('folder/bare-of-other', { transcript }, { bare: 'bare-of-other' }),
    ]
    await both(({ calls }) => calls.preview('placed', incoming))
    await both(({ calls }) => calls.upsert('placed', incoming))
    expect(await both(store => read(store, 'placed', { $sort: { _id: 1 } }))).toHaveLength(5)
    // What was erased under its bare name stays out.
    await both(({ calls }) => calls.erase('placed', 'bare-of-other'))
    await both(({ calls }) => calls.upsert('placed', [placed('x/bare-of-other', {}, { bare: 'bare-of-other' })]))
    await both(({ calls }) =>
      calls.upsert('placed', [placed('x/bare-of-other', {}, { bare: 'bare-of-other' })], { restoreErased: true }),
    )
  })
})

it('recordings are those that no other call has', async () => {
  const recorded = (id: string, recording_url?: string) => call(id, { ...(recording_url && { recording_url }) })
  await both(({ calls }) =>
    calls.upsert('recorded', [
      recorded('a', 'one.wav'),
      recorded('b', 'one.wav'),
      recorded('c', 'two.wav'),
      recorded('d'),
    ]),
  )
  const only = (...ids: string[]) =>
    both(async ({ calls }) => (await calls.recordingsOfOnly('recorded', ids)).toSorted())
  expect(await only('a')).toEqual([])
  expect(await only('a', 'b')).toEqual(['one.wav'])
  expect(await only('a', 'c', 'd')).toEqual(['two.wav'])
})

it('a stream gives every call, in its order', async () => {
  const stages = [
    { $match: { agent_name: { $ne: 'nobody' } } },
    { $sort: { session_id: 1 } },
    { $project: { score: 1, signals: 1 } },
  ]
  const streamed = await both(async store => {
    const pipeline = narrow(parsePipeline(stages), scope('p', 'all'))
    const stream = store.stream(read => read(pipeline), { project: 'p', key: '' })
    const found: unknown[] = []
    for await (const some of stream) found.push(...(some as unknown[]))
    return found
  })
  expect(streamed).toHaveLength(demo.length)
})
