import type { Case } from '../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'a running total in each partition',
    calls: [
      { agent_name: 'Ana', score: 1 },
      { agent_name: 'Ben', score: 2 },
      { agent_name: 'Ana', score: 3 },
      { agent_name: 'Ana' },
    ],
    pipeline: [
      {
        $setWindowFields: {
          partitionBy: '$agent_name',
          sortBy: { _id: 1 },
          output: {
            total: { $sum: '$score', window: { documents: ['unbounded', 'current'] } },
            n: { $count: {}, window: { documents: ['unbounded', 'unbounded'] } },
          },
        },
      },
      { $project: { total: 1, n: 1 } },
    ],
    result: [
      { _id: 'c0', total: 1, n: 3 },
      { _id: 'c2', total: 4, n: 3 },
      { _id: 'c3', total: 4, n: 3 },
      { _id: 'c1', total: 2, n: 1 },
    ],
    wholeInEngine: true,
  },
  {
    name: 'a moving average over three places',
    documents: [{ a: 1 }, { a: 2 }, { a: 3 }, { a: 10 }],
    pipeline: [
      { $setWindowFields: { sortBy: { a: 1 }, output: { avg: { $avg: '$a', window: { documents: [-1, 1] } } } } },
    ],
    result: [
      { a: 1, avg: 1.5 },
      { a: 2, avg: 2 },
      { a: 3, avg: 5 },
      { a: 10, avg: 6.5 },
    ],
    wholeInEngine: true,
  },
  {
    name: 'a window that does not hold the document, empty at an end',
    documents: [{ a: 1 }, { a: 2 }, { a: 3 }],
    pipeline: [
      {
        $setWindowFields: {
          sortBy: { a: 1 },
          output: {
            s: { $sum: '$a', window: { documents: [1, 2] } },
            m: { $min: '$a', window: { documents: [1, 2] } },
            p: { $push: '$a', window: { documents: [-2, -1] } },
          },
        },
      },
    ],
    result: [
      { a: 1, s: 5, m: 2, p: [] },
      { a: 2, s: 3, m: 3, p: [1] },
      { a: 3, s: 0, m: null, p: [1, 2] },
    ],
    wholeInEngine: true,
  },
  {
    name: 'a range by value: equal values are inside',
    documents: [{ a: 1 }, { a: 2 }, { a: 2 }, { a: 5 }, { a: 5.5 }],
    pipeline: [
      { $setWindowFields: { sortBy: { a: 1 }, output: { n: { $count: {}, window: { range: [-1, 'current'] } } } } },
    ],
    result: [
      { a: 1, n: 1 },
      { a: 2, n: 3 },
      { a: 2, n: 3 },
      { a: 5, n: 1 },
      { a: 5.5, n: 2 },
    ],
  },
  {
    name: 'a range of days',
    calls: [
      { created_dt: '2026-03-01T00:00:00Z' },
      { created_dt: '2026-03-02T00:00:00Z' },
      { created_dt: '2026-03-09T00:00:00Z' },
    ],
    pipeline: [
      {
        $setWindowFields: {
          sortBy: { created_dt: 1 },
          output: { week: { $sum: 1, window: { range: [-7, 0], unit: 'day' } } },
        },
      },
      { $project: { week: 1 } },
    ],
    result: [
      { _id: 'c0', week: 1 },
      { _id: 'c1', week: 2 },
      { _id: 'c2', week: 2 },
    ],
  },
  {
    name: 'missing and null are one partition; partitions come in order',
    documents: [{ p: 2 }, { p: null }, { p: 1 }, {}],
    pipeline: [{ $setWindowFields: { partitionBy: '$p', output: { n: { $count: {} } } } }],
    result: [{ p: null, n: 2 }, { n: 2 }, { p: 1, n: 1 }, { p: 2, n: 1 }],
    wholeInEngine: true,
  },
  {
    name: 'outputs may be inside',
    documents: [{ a: 1 }, { a: 2 }],
    pipeline: [
      { $setWindowFields: { sortBy: { a: 1 }, output: { 'stats.rank': { $rank: {} }, 'stats.max': { $max: '$a' } } } },
    ],
    result: [
      { a: 1, stats: { rank: 1, max: 2 } },
      { a: 2, stats: { rank: 2, max: 2 } },
    ],
    wholeInEngine: true,
  },
  {
    name: 'an array can not be partitioned by',
    documents: [{ p: [1] }],
    pipeline: [{ $setWindowFields: { partitionBy: '$p', output: { n: { $count: {} } } } }],
    error: '$setWindowFields can not partition by an array',
  },
  {
    name: 'a range needs numbers',
    documents: [{ a: 'x' }],
    pipeline: [{ $setWindowFields: { sortBy: { a: 1 }, output: { n: { $count: {}, window: { range: [-1, 1] } } } } }],
    error: '$setWindowFields needs numbers',
  },
  {
    name: 'a range with unit needs dates',
    documents: [{ a: 1 }],
    pipeline: [
      {
        $setWindowFields: { sortBy: { a: 1 }, output: { n: { $count: {}, window: { range: [-1, 1], unit: 'day' } } } },
      },
    ],
    error: '$setWindowFields needs dates',
  },
  {
    name: 'places need sortBy',
    pipeline: [{ $setWindowFields: { output: { n: { $sum: 1, window: { documents: [-1, 0] } } } } }],
    error: 'a window of documents needs sortBy',
  },
  {
    name: 'a range needs one ascending field',
    pipeline: [{ $setWindowFields: { sortBy: { a: -1 }, output: { n: { $sum: 1, window: { range: [-1, 0] } } } } }],
    error: 'one ascending field',
  },
  {
    name: 'refuses crossed bounds',
    pipeline: [{ $setWindowFields: { sortBy: { a: 1 }, output: { n: { $sum: 1, window: { documents: [1, -1] } } } } }],
    error: 'the lower bound is not above',
  },
  {
    name: 'refuses halves',
    pipeline: [{ $setWindowFields: { sortBy: { a: 1 }, output: { n: { $sum: 1, window: { documents: [0.5, 1] } } } } }],
    error: 'a whole number',
  },
  {
    name: 'refuses both kinds',
    pipeline: [
      {
        $setWindowFields: {
          sortBy: { a: 1 },
          output: { n: { $sum: 1, window: { documents: [0, 1], range: [0, 1] } } },
        },
      },
    ],
    error: 'either documents or range',
  },
  {
    name: 'refuses unknown functions',
    pipeline: [{ $setWindowFields: { output: { n: { $ranks: {} } } } }],
    error: 'Did you mean $rank?',
  },
  {
    name: 'refuses unknown units',
    pipeline: [
      { $setWindowFields: { sortBy: { a: 1 }, output: { n: { $sum: 1, window: { range: [0, 1], unit: 'days' } } } } },
    ],
    error: 'Did you mean day?',
  },
  {
    name: 'refuses a bound beyond all places',
    documents: [{ a: 1 }],
    pipeline: [
      { $setWindowFields: { sortBy: { a: 1 }, output: { n: { $count: {}, window: { documents: [-1e300, 0] } } } } },
    ],
    error: 'a bound of documents is "unbounded", "current" or a whole number',
  },
  {
    name: 'a range that reaches beyond the dates there are',
    documents: [
      { at: { $date: '2026-03-01T00:00:00Z' }, n: 1 },
      { at: { $date: '2026-03-02T00:00:00Z' }, n: 2 },
    ],
    pipeline: [
      {
        $setWindowFields: {
          sortBy: { at: 1 },
          output: {
            after: { $sum: '$n', window: { range: [0, 1e15], unit: 'day' } },
            before: { $sum: '$n', window: { range: [-1e15, 0], unit: 'month' } },
          },
        },
      },
      { $project: { _id: 0, after: 1, before: 1 } },
    ],
    result: [
      { after: 3, before: 1 },
      { after: 2, before: 3 },
    ],
  },
]
