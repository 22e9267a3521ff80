import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CallRecord } from '../../src/calls/call-record.js'
import { callFields } from '../../src/calls/call-fields.js'
import { callTexts, explainNarrowed, narrow, parsePipeline, textFreeCallSchema } from '../../src/pipeline/index.js'
import { type Scope, scope } from '../../src/pipeline/scope.js'
import { disagreement } from '../support/agreement.js'
import { arbitraryCalls } from '../support/arbitrary-calls.js'
import { type CallEngine, callEngine } from '../support/call-engine.js'
import { typedText } from '../support/pipeline-cases.js'
import { orderedPipeline } from '../support/random-pipeline.js'
import { isTried } from '../support/whole.js'
import { CANARY, canaryCall, plantedCall, tellsPlanted, withoutTexts } from '../support/text-free.js'

/**
 * Whoever sees no text gets of every pipeline what they would get where no call had ever had one: no document, count, order or
 * failure is another. It is so for who sees texts masked, too: no pipeline of theirs has any. `npm run attack:text` tries 20,000 random pipelines.
 */

const PIPELINES = Number(process.env['TEXT_PIPELINES'] ?? 160)
const PIPELINES_A_TABLE = 40
const STAGES = 5

const TEXT_FREE = scope('p', 'all', 'none')
const NUMBER = '4111 1111 1111 1111'
const MASKED = scope('p', 'all', 'masked')

/** The engine as a scope without text sees it, beside the calls without texts, evaluated in memory. */
async function blind(calls: readonly CallRecord[], within: Scope = TEXT_FREE) {
  const [whole, bare] = [await callEngine(calls), await callEngine(withoutTexts(calls))]
  const engine: Pick<CallEngine, 'compiled' | 'evaluated'> = {
    compiled: pipeline => whole.compiled(pipeline, within),
    evaluated: pipeline => bare.evaluated(pipeline),
  }
  const close = () => {
    whole.close()
    bare.close()
  }
  return { engine, close }
}

test('these fields are text, whoever adds one decides', () => {
  expect(callTexts).toEqual([
    'title',
    'customer_display_name',
    'recording_url',
    'session_metadata',
    'signals.evidence',
    'guidance.text',
    'guidance.evidence',
    'coaching_summary',
    'trust.reasons',
    'conditions.text',
    'transcript',
  ])
})

test('every free text of the record is marked as one, but for names of agents, ids, categories and keys', () => {
  const left = [...textFreeCallSchema].flatMap(([name, type]) => {
    if (type.kind === 'open') return [`${name}: open`]
    return type.kind === 'string' && type.values === undefined ? [name] : []
  })
  expect(left).toEqual(['_id', 'session_id', 'agent_id', 'agent_name', 'interaction_driver', 'language_primary'])
})

test('the canary call has every field that there is', () => {
  const missing = callFields.filter(({ name }) => !Object.hasOwn(canaryCall(0), name))
  expect(missing).toEqual([])
})

/** Every way of a pipeline to a value: each is asked of each text. */
const forms: readonly ((path: string) => readonly object[])[] = [
  path => [{ $match: { [path]: { $exists: true } } }, { $count: 'n' }],
  path => [{ $match: { [path]: { $regex: CANARY, $options: 'i' } } }, { $count: 'n' }],
  path => [{ $match: { [path]: { $ne: null } } }, { $count: 'n' }],
  path => [{ $match: { [path]: { $type: 'string' } } }, { $count: 'n' }],
  path => [{ $match: { [path]: { $gte: 'a' } } }, { $count: 'n' }],
  path => [{ $match: { $nor: [{ [path]: { $exists: false } }] } }, { $count: 'n' }],
  path => [{ $match: { $expr: { $gt: [`$${path}`, null] } } }, { $count: 'n' }],
  path => [{ $project: { [path]: 1 } }, { $sort: { _id: 1 } }],
  path => [{ $project: { x: `$${path}` } }, { $sort: { _id: 1 } }],
  path => [{ $set: { x: { $concat: [{ $ifNull: [`$${path}`, ''] }, '!'] } } }, { $match: { x: { $ne: '!' } } }],
  path => [{ $group: { _id: `$${path}`, n: { $sum: 1 } } }],
  path => [{ $group: { _id: null, all: { $addToSet: `$${path}` }, first: { $first: `$${path}` } } }],
  path => [{ $group: { _id: null, least: { $min: `$${path}` }, all: { $push: '$$ROOT' } } }],
  path => [{ $sort: { [path]: -1, _id: 1 } }, { $limit: 2 }, { $project: { _id: 1 } }],
  path => [{ $unwind: `$${path}` }, { $count: 'n' }],
  path => [{ $sortByCount: `$${path}` }],
  path => [{ $bucketAuto: { groupBy: `$${path}`, buckets: 2 } }],
  path => [{ $facet: { a: [{ $project: { x: `$${path}` } }, { $sort: { _id: 1 } }] } }],
  path => [{ $replaceWith: { x: `$${path}`, all: { $objectToArray: '$$ROOT' } } }],
  path => [{ $redact: { $cond: [{ $eq: [{ $type: `$${path}` }, 'missing'] }, '$$KEEP', '$$PRUNE'] } }, { $count: 'n' }],
  path => [{ $set: { n: { $size: { $ifNull: [`$${path}`, []] } } } }, { $group: { _id: '$n', n: { $sum: 1 } } }],
  path => [
    {
      $setWindowFields: { sortBy: { created_dt: 1, _id: 1 }, output: { x: { $shift: { output: `$${path}`, by: 1 } } } },
    },
    { $match: { x: { $gt: '' } } },
    { $count: 'n' },
  ],
  path => [{ $project: { x: { $getField: path.split('.')[0]! }, y: { $map: { input: [1], in: `$${path}` } } } }],
  path => [{ $project: { x: { $convert: { input: `$${path}`, to: 'int' } } } }, { $match: { x: { $ne: null } } }],
]

const paths = [
  ...callTexts,
  'signals.evidence.quote',
  'signals.evidence.turn',
  'guidance.evidence.quote',
  'transcript.text',
  'transcript.actor',
  'transcript.0.text',
  'session_metadata.company_name',
  'session_metadata.audio_length_seconds',
  'search_text',
]

describe('every form of a pipeline', () => {
  test.each([
    ['none', TEXT_FREE, canaryCall],
    ['masked', MASKED, (n: number) => plantedCall(n, n % 2 === 0 ? 0 : 1)],
  ] as const)('over each text finds none for who sees %s', async (_, within, callOf) => {
    const { engine, close } = await blind([0, 1, 2, 3].map(callOf), within)
    try {
      for (const [i, form] of forms.entries()) {
        for (const [k, path] of paths.entries()) {
          if (!isTried(i, k, 4)) continue
          const pipeline = form(path)
          // Both of one run: an answer is the evaluator's, and a failure may be told in other words.
          const run = engine.compiled(pipeline)
          // oxlint-disable-next-line no-await-in-loop -- one connection
          const difference = await disagreement({ ...engine, compiled: async () => await run }, pipeline)
          expect([i, path, difference]).toEqual([i, path, undefined])
          // oxlint-disable-next-line no-await-in-loop -- one connection
          const told = await run.then(
            ({ documents }) => documents.map(typedText).join(''),
            (error: unknown) => String(error),
          )
          const rest = told.replaceAll(JSON.stringify(CANARY), '')
          expect([i, path, rest.includes(CANARY) || tellsPlanted(rest)]).toEqual([i, path, false])
        }
      }
    } finally {
      close()
    }
  })

  test('whole documents have all the rest, as it was imported', async () => {
    const calls = [0, 1].map(canaryCall)
    const { engine, close } = await blind(calls)
    try {
      const [first] = (await engine.compiled([{ $sort: { _id: 1 } }])).documents
      expect(Object.keys(first!)).toEqual(Object.keys({ _id: 0, ...withoutTexts(calls)[0]! }))
      expect(await disagreement(engine, [{ $sort: { _id: 1 } }], true)).toBeUndefined()
    } finally {
      close()
    }
  })
})

test.each([TEXT_FREE, MASKED])('what would run says what it is narrowed to', within => {
  const parsed = parsePipeline([{ $count: 'n' }], { shape: textFreeCallSchema })
  expect(explainNarrowed(narrow(parsed, within))).toEqual([{ $unset: callTexts }, { $count: 'n' }])
})

test('advice knows of no text either', () => {
  const { warnings } = parsePipeline([{ $match: { coaching_sumary: 1, 'signals.evidense': 1, title: 'x' } }], {
    shape: textFreeCallSchema,
  })
  expect(warnings.join('\n')).toContain('there is no field "title"')
  expect(warnings.join('\n')).not.toMatch(/coaching_summary|signals\.evidence"/)
})

test(`${PIPELINES} random pipelines tell nothing of a text`, async () => {
  const tables = Math.ceil(PIPELINES / PIPELINES_A_TABLE)
  const samples = fc.sample(arbitraryCalls, { seed: 20_261_123, numRuns: tables })
  const found: string[] = []
  for (const [i, calls] of samples.entries()) {
    // Every other table has the canary in its texts; in the rest they are such as the pipelines look for.
    const marked = i % 2 === 0 ? calls : calls.map(canaries)
    // oxlint-disable-next-line no-await-in-loop -- one table after the other
    const { engine, close } = await blind(marked, i % 4 < 2 ? TEXT_FREE : MASKED)
    for (let n = 0; n < PIPELINES_A_TABLE; n += 1) {
      const { pipeline, ordered } = orderedPipeline(Math.imul(i * PIPELINES_A_TABLE + n, 0x9e3779b1), 1 + (n % STAGES))
      let told = ''
      const kept: typeof engine = {
        ...engine,
        compiled: async json => {
          const run = await engine.compiled(json)
          told = run.documents.map(typedText).join('')
          return run
        },
      }
      // oxlint-disable-next-line no-await-in-loop -- one connection
      const difference = await disagreement(kept, pipeline, ordered).catch((error: unknown) => String(error))
      if (difference !== undefined || told.includes(CANARY) || told.includes(NUMBER)) {
        found.push(`${JSON.stringify(pipeline)}\n${difference ?? told}\nover ${JSON.stringify(marked)}`)
      }
    }
    close()
  }
  expect(found.slice(0, 3)).toEqual([])
})

/** A call with the canary before each of its texts, and a number behind it. */
function canaries(call: CallRecord): CallRecord {
  const bare = withoutTexts([call])[0]!
  const marked = (value: unknown, plain: unknown): unknown => {
    if (typeof value === 'string') return plain === undefined ? `${CANARY}${value} ${NUMBER}` : value
    if (Array.isArray(value)) return value.map((item, i) => marked(item, Array.isArray(plain) ? plain[i] : undefined))
    if (typeof value !== 'object' || value === null) return value
    const inner = (plain ?? {}) as Readonly<Record<string, unknown>>
    const isTurn = plain === undefined && 'actor' in value
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, isTurn && name === 'actor' ? one : marked(one, inner[name])]),
    )
  }
  return marked(call, bare) as CallRecord
}
