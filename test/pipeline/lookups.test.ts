import { afterAll, beforeAll, expect, test } from 'vitest'
import { now } from '../../bench/corpus/analyst-questions.js'
import type { CallRecord } from '../../src/calls/call-record.js'
import { generateCalls } from '../../src/demo/generate-calls.js'
import { disagreement } from '../support/agreement.js'
import { type CallEngine, callEngine } from '../support/call-engine.js'

/** A pipeline about one session is compiled without an order of its rows, and looked for by its place: it means what it says all the same. */

const calls = [...generateCalls({ calls: 12, seed: 3, agents: 3, end: now }).lines].map(line => {
  const call = JSON.parse(line) as CallRecord
  return { ...call, agent_id: call.agent_name.toLowerCase() }
})
const { session_id: id } = calls[5]!

let engine: CallEngine
beforeAll(async () => {
  engine = await callEngine(calls, now)
})
afterAll(() => engine.close())

const signals = { $unwind: '$signals' }
const behind: readonly (readonly object[])[] = [
  [],
  [{ $count: 'n' }],
  [{ $sort: { score: -1 } }, { $limit: 3 }],
  [{ $project: { said: { $slice: ['$transcript', 2, 3] } } }],
  [signals, { $project: { key: '$signals.key' } }],
  [signals, { $group: { _id: '$signals.state', keys: { $push: '$signals.key' }, first: { $first: '$signals.key' } } }],
  [signals, { $skip: 2 }, { $limit: 3 }],
  [
    { $unwind: { path: '$transcript', includeArrayIndex: 'i' } },
    {
      $setWindowFields: {
        partitionBy: '$transcript.actor',
        sortBy: { i: 1 },
        output: { n: { $documentNumber: {} } },
      },
    },
  ],
  [{ $setWindowFields: { sortBy: { created_dt: 1 }, output: { before: { $shift: { output: '$score', by: -1 } } } } }],
  [{ $facet: { all: [{ $count: 'n' }], keys: [signals, { $sortByCount: '$signals.state' }, { $sort: { _id: 1 } }] } }],
  [{ $group: { _id: null, calls: { $sum: 1 }, last: { $last: '$title' } } }],
]

test.each(behind.map(stages => [stages.map(stage => Object.keys(stage)[0]).join(', ') || 'nothing', stages] as const))(
  'a lookup and %s',
  async (_, stages) => {
    for (const session of [id, 'nobody']) {
      for (const field of ['session_id', '_id']) {
        // oxlint-disable-next-line no-await-in-loop -- one engine
        expect(await disagreement(engine, [{ $match: { [field]: session } }, ...stages], true)).toBeUndefined()
      }
    }
  },
)
