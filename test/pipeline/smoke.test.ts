import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CallEngine, callEngine } from '../support/call-engine.js'
import { toExtended } from '../../src/pipeline/index.js'

let engine: CallEngine
beforeAll(async () => {
  engine = await callEngine([
    {
      session_id: 'a',
      agent_id: 'ana',
      agent_name: 'Ana',
      created_dt: '2026-03-01T10:00:00Z',
      score: 4,
      title: 'T',
      signals: [
        { key: 'sig.x', state: 'present', strength: 0.5 },
        { key: 'sig.y', state: 'absent' },
      ],
      trust: { level: 'high', reasons: [] },
      outcome_lift: { lift: 0.2 },
      session_metadata: { company_name: 'X', n: 5, tags: ['a', 'b'] },
      transcript: [{ turn: 0, actor: 'agent', text: 'Hello' }],
      evaluation: { evaluator: 'rules' },
    },
    {
      session_id: 'b',
      agent_id: 'ben',
      agent_name: 'Ben',
      created_dt: '2026-02-10T10:00:00Z',
      score: 2.5,
      signals: [],
      session_metadata: { n: 7, z: null },
    },
    { session_id: 'c', agent_id: 'ana', agent_name: 'Ana', created_dt: '2026-02-11T23:30:00Z' },
  ])
})
afterAll(() => engine.close())

const pipelines: object[][] = [
  [],
  [{ $match: { score: { $gte: 3 } } }],
  [{ $match: { score: null } }],
  [{ $match: { score: { $ne: 4 } } }],
  [{ $match: { 'signals.key': 'sig.x' } }],
  [{ $match: { 'signals.strength': null } }],
  [{ $match: { signals: { $elemMatch: { key: 'sig.y', state: 'absent' } } } }],
  [{ $match: { signals: { $size: 0 } } }],
  [{ $match: { 'session_metadata.n': { $gt: 5 } } }],
  [{ $match: { 'session_metadata.tags': 'b' } }],
  [{ $match: { 'session_metadata.z': null } }],
  [{ $match: { 'session_metadata.z': { $exists: true } } }],
  [{ $match: { created_dt: { $gte: '2026-02-11' } } }],
  [
    {
      $match: {
        agent_name: { $in: ['Ana', null] },
        $or: [{ title: { $regex: '^t', $options: 'i' } }, { session_id: 'c' }],
      },
    },
  ],
  [{ $match: { agent_name: { $not: { $regex: 'n$' } } } }],
  [{ $match: { nothing: { $exists: false } } }],
  [{ $match: { $expr: { $gt: ['$score', null] } } }],
  [
    {
      $group: {
        _id: '$agent_name',
        n: { $sum: 1 },
        avg: { $avg: '$score' },
        s: { $sum: '$score' },
        mx: { $max: '$created_dt' },
        ids: { $push: '$_id' },
        t: { $first: '$title' },
      },
    },
    { $sort: { _id: 1 } },
  ],
  [
    { $group: { _id: { a: '$agent_id', t: '$title' }, n: { $sum: { $cond: [{ $gte: ['$score', 3] }, 1, 0] } } } },
    { $sort: { '_id.a': 1, '_id.t': 1 } },
  ],
  [{ $group: { _id: null, n: { $count: {} } } }],
  [{ $match: { _id: 'zzz' } }, { $group: { _id: null, n: { $sum: 1 } } }],
  [
    {
      $group: {
        _id: { $dateTrunc: { date: '$created_dt', unit: 'month', timezone: 'Europe/Berlin' } },
        n: { $sum: 1 },
      },
    },
    { $sort: { _id: 1 } },
  ],
  [{ $group: { _id: { $dateTrunc: { date: '$created_dt', unit: 'week' } }, n: { $sum: 1 } } }, { $sort: { _id: 1 } }],
  [{ $unwind: '$signals' }, { $group: { _id: '$signals.key', n: { $sum: 1 } } }, { $sort: { n: -1, _id: 1 } }],
  [{ $unwind: { path: '$signals', includeArrayIndex: 'i' } }, { $project: { _id: 0, i: 1, 'signals.key': 1 } }],
  [{ $sort: { score: 1, _id: 1 } }, { $project: { score: 1 } }],
  [{ $sort: { score: -1, _id: 1 } }, { $skip: 1 }, { $limit: 1 }, { $project: { score: 1, l: '$outcome_lift.lift' } }],
  [{ $project: { 'trust.level': 1, 'signals.state': 1, keys: '$signals.key' } }],
  [{ $project: { transcript: 0, 'trust.reasons': 0, 'signals.key': 0 } }],
  [{ $unset: ['signals', 'trust.level'] }],
  [{ $addFields: { title: 'new', x: { $add: ['$score', 1] }, d: { $subtract: ['$$NOW', '$created_dt'] } } }],
  [{ $addFields: { 'trust.note': 1 } }],
  [{ $match: { score: { $gt: 1 } } }, { $count: 'n' }],
]

test.each(pipelines.map(p => [JSON.stringify(p), p] as const))('%s', async (_, pipeline) => {
  const { documents, engineStages, sql } = await engine.compiled(pipeline).catch((e: unknown) => {
    throw e
  })
  const order = (docs: readonly unknown[]) => docs.map(d => JSON.stringify(toExtended(d as never))).toSorted()
  if (engineStages < pipeline.length) console.log('NOT WHOLE', engineStages, JSON.stringify(pipeline))
  expect(order(documents), sql).toEqual(order(engine.evaluated(pipeline)))
})
