import type { Case } from '../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'shares places, descending',
    calls: [{ score: 3 }, { score: 5 }, { score: 5 }, {}],
    pipeline: [
      { $setWindowFields: { sortBy: { score: -1 }, output: { r: { $rank: {} } } } },
      { $sort: { _id: 1 } },
      { $project: { r: 1 } },
    ],
    result: [
      { _id: 'c0', r: 3 },
      { _id: 'c1', r: 1 },
      { _id: 'c2', r: 1 },
      { _id: 'c3', r: 4 },
    ],
    wholeInEngine: true,
  },
  {
    name: 'starts again in each partition',
    documents: [
      { p: 1, i: 1 },
      { p: 1, i: 2 },
      { p: 2, i: 5 },
    ],
    pipeline: [{ $setWindowFields: { partitionBy: '$p', sortBy: { i: 1 }, output: { r: { $rank: {} } } } }],
    result: [
      { p: 1, i: 1, r: 1 },
      { p: 1, i: 2, r: 2 },
      { p: 2, i: 5, r: 1 },
    ],
    wholeInEngine: true,
  },
  {
    name: 'needs one field',
    pipeline: [{ $setWindowFields: { sortBy: { a: 1, b: 1 }, output: { r: { $rank: {} } } } }],
    error: 'needs sortBy to name one field',
  },
  {
    name: 'needs sortBy',
    pipeline: [{ $setWindowFields: { output: { r: { $rank: {} } } } }],
    error: '$rank needs sortBy',
  },
  {
    name: 'takes no argument',
    pipeline: [{ $setWindowFields: { sortBy: { a: 1 }, output: { r: { $rank: { a: 1 } } } } }],
    error: 'takes an empty object',
  },
  {
    name: 'takes no window',
    pipeline: [{ $setWindowFields: { sortBy: { a: 1 }, output: { r: { $rank: {}, window: { documents: [0, 1] } } } } }],
    error: 'takes no window',
  },
]
