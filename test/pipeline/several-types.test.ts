// oxlint-disable unicorn/no-thenable -- $switch has branches with `then`
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { disagreement } from '../support/agreement.js'
import { arbitraryCalls } from '../support/arbitrary-calls.js'
import { callEngine } from '../support/call-engine.js'

/**
 * Values of several types, of which the engine knows only how to pass them on: whatever comes after them, the answer is the
 * evaluator's.
 */

const values: readonly unknown[] = [
  { $ifNull: ['$score', 'none'] },
  { $ifNull: ['$talk_patterns.hold_count', 'x'] },
  { $cond: [{ $gt: ['$score', 3] }, '$score', '$created_dt'] },
  { $cond: ['$channel', '$trust', '$signals'] },
  ['$channel', '$score'],
  ['$score', '$talk_patterns.hold_count'],
  [1, 'x', null],
  [{ $ifNull: ['$score', 'a'] }, 2],
  { $ifNull: [{ $ifNull: ['$title', '$score'] }, false] },
  {
    $switch: {
      branches: [
        { case: { $gt: ['$score', 4] }, then: 'hi' },
        { case: '$channel', then: 1 },
      ],
      default: '$$REMOVE',
    },
  },
  { $objectToArray: '$trust' },
  { $objectToArray: '$talk_patterns' },
  { $objectToArray: { a: '$score', b: 1, c: 'x' } },
  { $arrayToObject: { $objectToArray: '$trust' } },
  { $arrayToObject: { $map: { input: { $ifNull: ['$signals', []] }, in: { k: '$$this.key', v: '$$this.state' } } } },
  { $arrayToObject: { $map: { input: '$signals', in: { k: '$$this.key', v: [1, '$$this.state'] } } } },
  { $zip: { inputs: ['$scores.key', '$scores.value'] } },
  { $cond: ['$score', { $literal: { $numberLong: '5' } }, 7.5] },
  { $ifNull: [{ $cond: ['$channel', 1, 2.5] }, 'q'] },
  { a: { $ifNull: ['$score', 'z'] }, b: '$channel' },
  { $cond: ['$channel', null, { $ifNull: ['$score', 'n'] }] },
  { $ifNull: ['$session_metadata.x', '$score'] },
  { $ifNull: ['$evaluation.evaluated_at', 'never'] },
  { $cond: [{ $ifNull: ['$predicted_csat', 'no'] }, 1, 'two'] },
  { $first: [['a', 1]] },
  { $size: [['a', 1]] },
  { $type: { $ifNull: ['$score', 'n'] } },
  { $eq: [{ $ifNull: ['$score', 'n'] }, 'n'] },
  { $max: ['$score', 'a'] },
  { $in: ['a', ['a', 1]] },
  { $concatArrays: [['a', 1], [2]] },
  { $mergeObjects: [{ a: { $ifNull: ['$score', 'z'] } }, '$trust'] },
]

const after: readonly ((v: unknown) => readonly object[])[] = [
  v => [{ $project: { v } }],
  v => [{ $set: { v } }, { $project: { v: 1, agent_name: 1 } }],
  v => [{ $group: { _id: v, n: { $sum: 1 } } }],
  v => [{ $group: { _id: { a: '$channel', v }, n: { $sum: 1 } } }],
  v => [{ $group: { _id: '$channel', f: { $first: v }, l: { $last: v }, p: { $push: v } } }],
  v => [
    {
      $group: {
        _id: '$channel',
        t: { $top: { sortBy: { score: -1 }, output: v } },
        b: { $bottomN: { n: 2, sortBy: { score: 1 }, output: v } },
      },
    },
  ],
  v => [{ $project: { v } }, { $sort: { v: 1 } }],
  v => [{ $project: { v } }, { $match: { v: { $gt: 1 } } }],
  v => [{ $project: { v } }, { $match: { v: 'none' } }],
  v => [{ $project: { v } }, { $match: { 'v.level': 'high' } }],
  v => [{ $project: { v } }, { $unwind: '$v' }],
  v => [{ $project: { v } }, { $group: { _id: '$v' } }],
  v => [{ $project: { v } }, { $project: { w: '$v.level', x: '$v.k' } }],
  v => [{ $project: { v } }, { $project: { 'v.level': 1 } }],
  v => [{ $project: { v } }, { $project: { 'v.k': 0 } }],
  v => [{ $project: { v } }, { $set: { 'v.z': 1 } }],
  v => [{ $project: { v } }, { $set: { w: { $ifNull: ['$v', 0] } } }],
  v => [{ $match: { $expr: v } }, { $project: { score: 1 } }],
  v => [{ $facet: { a: [{ $project: { v } }, { $limit: 2 }], b: [{ $project: { v } }, { $sort: { v: -1 } }] } }],
  v => [{ $replaceRoot: { newRoot: { v } } }],
  v => [{ $group: { _id: null, s: { $sum: v }, m: { $max: v }, u: { $addToSet: v }, a: { $avg: v } } }],
  v => [{ $bucket: { groupBy: v, boundaries: [1, 3, 6], default: 'o' } }],
  v => [
    {
      $setWindowFields: {
        partitionBy: '$channel',
        sortBy: { created_dt: 1 },
        output: { w: { $first: v }, s: { $sum: v }, p: { $push: v } },
      },
    },
    { $project: { w: 1, s: 1, p: 1 } },
  ],
  v => [
    { $project: { v } },
    { $setWindowFields: { partitionBy: '$v', sortBy: { _id: 1 }, output: { n: { $sum: 1 } } } },
  ],
  v => [{ $project: { v } }, { $sortByCount: '$v' }, { $limit: 3 }],
  v => [{ $project: { v } }, { $fill: { output: { v: { value: 0 } } } }],
  v => [
    { $project: { v } },
    { $group: { _id: '$_id', all: { $push: '$$ROOT' } } },
    { $unwind: '$all' },
    { $project: { x: '$all.v' } },
  ],
  v => [{ $sort: { _id: 1 } }, { $project: { v } }, { $limit: 3 }, { $set: { t: { $type: '$v' } } }],
  v => [{ $project: { v } }, { $replaceRoot: { newRoot: '$v' } }],
  v => [{ $project: { v } }, { $redact: { $cond: ['$v', '$$KEEP', '$$PRUNE'] } }],
]

/** Each value with every fifth of what may come after it, so that each two neighbours meet. */
const EVERY = 5

test('the engine gives what the evaluator gives', async () => {
  const drawn = fc.sample(arbitraryCalls, { seed: 3, numRuns: 8 }).flat()
  const engine = await callEngine(drawn.map((call, i) => ({ ...call, session_id: `c${i}` })))
  try {
    for (const [i, value] of values.entries()) {
      for (const [j, then] of after.entries()) {
        if ((i + j) % EVERY !== 0) continue
        const pipeline = then(value)
        // oxlint-disable-next-line no-await-in-loop -- one connection
        expect({ pipeline, difference: await disagreement(engine, pipeline) }).toEqual({
          pipeline,
          difference: undefined,
        })
      }
    }
  } finally {
    engine.close()
  }
})
