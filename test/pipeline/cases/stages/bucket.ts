import type { Case } from '../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'low boundaries are included, high ones excluded, empty buckets left out',
    calls: [{ score: 1 }, { score: 1.5 }, { score: 2 }, { score: 4.9 }],
    pipeline: [{ $bucket: { groupBy: '$score', boundaries: [1, 2, 3, 5] } }],
    result: [
      { _id: 1, count: 2 },
      { _id: 2, count: 1 },
      { _id: 3, count: 1 },
    ],
  },
  {
    name: 'what is outside or missing goes to default, of any type',
    calls: [{ score: 1 }, { score: 5 }, {}, { score: 2 }],
    pipeline: [
      {
        $bucket: {
          groupBy: '$score',
          boundaries: [1, 3],
          default: 'other',
          output: { n: { $sum: 1 }, ids: { $push: '$_id' } },
        },
      },
    ],
    result: [
      { _id: 1, n: 2, ids: ['c0', 'c3'] },
      { _id: 'other', n: 2, ids: ['c1', 'c2'] },
    ],
    wholeInEngine: true,
  },
  {
    name: 'a default below the boundaries comes first',
    calls: [{ score: 1 }, { score: 5 }, {}],
    pipeline: [{ $bucket: { groupBy: '$score', boundaries: [1, 3], default: -1 } }],
    result: [
      { _id: -1, count: 2 },
      { _id: 1, count: 1 },
    ],
    wholeInEngine: true,
  },
  {
    name: 'dates',
    calls: [
      { created_dt: '2026-01-15T00:00:00Z' },
      { created_dt: '2026-02-15T00:00:00Z' },
      { created_dt: '2026-02-20T00:00:00Z' },
    ],
    pipeline: [
      {
        $bucket: {
          groupBy: '$created_dt',
          boundaries: [{ $date: '2026-01-01' }, { $date: '2026-02-01' }, { $date: '2026-03-01' }],
          default: { $date: '2030-01-01' },
        },
      },
    ],
    result: [
      { _id: { $date: '2026-01-01T00:00:00.000Z' }, count: 1 },
      { _id: { $date: '2026-02-01T00:00:00.000Z' }, count: 2 },
    ],
    wholeInEngine: true,
  },
  {
    name: 'session_metadata of any type',
    calls: [{ session_metadata: { n: 5 } }, { session_metadata: { n: 'x' } }, { session_metadata: { n: [5] } }, {}],
    pipeline: [{ $bucket: { groupBy: '$session_metadata.n', boundaries: [0, 10], default: 'none' } }],
    result: [
      { _id: 0, count: 1 },
      { _id: 'none', count: 3 },
    ],
    wholeInEngine: true,
  },
  {
    name: 'strings',
    documents: [{ a: 'apple' }, { a: 'pear' }, { a: 'fig' }],
    pipeline: [{ $bucket: { groupBy: '$a', boundaries: ['a', 'g', 'z'] } }],
    result: [
      { _id: 'a', count: 2 },
      { _id: 'g', count: 1 },
    ],
  },
  {
    name: 'a value outside without default is an error',
    documents: [{ a: 9 }],
    pipeline: [{ $bucket: { groupBy: '$a', boundaries: [0, 5] } }],
    error: '$bucket met a value outside its boundaries',
  },
  {
    name: 'refuses one boundary',
    pipeline: [{ $bucket: { groupBy: '$a', boundaries: [1] } }],
    error: 'at least two ascending',
  },
  {
    name: 'refuses descending boundaries',
    pipeline: [{ $bucket: { groupBy: '$a', boundaries: [2, 1] } }],
    error: 'boundaries ascend',
  },
  {
    name: 'refuses mixed boundaries',
    pipeline: [{ $bucket: { groupBy: '$a', boundaries: [1, 'x'] } }],
    error: 'of one type',
  },
  {
    name: 'refuses boundaries that are fields',
    pipeline: [{ $bucket: { groupBy: '$a', boundaries: ['$b', 2] } }],
    error: 'is a constant',
  },
  {
    name: 'refuses a default within',
    pipeline: [{ $bucket: { groupBy: '$a', boundaries: [1, 5], default: 3 } }],
    error: 'lies below the lowest',
  },
  {
    name: 'refuses a constant groupBy',
    pipeline: [{ $bucket: { groupBy: 1, boundaries: [1, 5] } }],
    error: 'as groupBy',
  },
  {
    name: 'refuses unknown options',
    pipeline: [{ $bucket: { groupby: '$a', boundaries: [1, 5] } }],
    error: 'Did you mean groupBy?',
  },
  {
    name: 'without a default, of JSON beside what fails in an accumulator',
    calls: [{ session_metadata: { w: 5 } }, { session_metadata: { w: 'x' } }],
    pipeline: [
      {
        $bucket: {
          groupBy: '$session_metadata.w',
          boundaries: [0, 10],
          output: { n: { $sum: { $divide: [1, { $strLenCP: { $toString: '$session_metadata.w' } }] } } },
        },
      },
    ],
    error: '$bucket met a value outside its boundaries',
  },
  {
    name: 'longs as boundaries and as the default stay longs',
    documents: [{ n: 1 }, { n: 2 }],
    pipeline: [
      {
        $bucket: {
          groupBy: '$n',
          boundaries: [{ $numberLong: '0' }, { $numberLong: '2' }],
          default: { $numberLong: '5000000000' },
        },
      },
      { $project: { type: { $type: '$_id' }, square: { $multiply: ['$_id', '$_id'] } } },
    ],
    result: [
      { _id: 0, type: 'long', square: 0 },
      { _id: 5_000_000_000, type: 'long', square: { $numberDouble: '2.5e19' } },
    ],
  },
  {
    name: 'a long beside ints',
    documents: [{ n: 1 }, { n: 2 }],
    pipeline: [
      { $bucket: { groupBy: '$n', boundaries: [0, 2], default: { $numberLong: '9' } } },
      { $project: { type: { $type: '$_id' } } },
    ],
    result: [
      { _id: 0, type: 'int' },
      { _id: 9, type: 'long' },
    ],
  },
  {
    name: 'refuses a field inside a constant',
    documents: [{ n: 1 }],
    pipeline: [{ $bucket: { groupBy: '$n', boundaries: [0, 2], default: ['$n'] } }],
    error: 'pipeline[0].$bucket.default: is a constant, not ["$n"]',
  },
]
