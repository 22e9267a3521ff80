import type { Case } from '../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'leaves no place out',
    calls: [{ score: 3 }, { score: 5 }, { score: 5 }, {}],
    pipeline: [
      { $setWindowFields: { sortBy: { score: -1 }, output: { r: { $denseRank: {} } } } },
      { $sort: { _id: 1 } },
      { $project: { r: 1 } },
    ],
    result: [
      { _id: 'c0', r: 2 },
      { _id: 'c1', r: 1 },
      { _id: 'c2', r: 1 },
      { _id: 'c3', r: 3 },
    ],
    wholeInEngine: true,
  },
  {
    name: 'null and missing are equal',
    documents: [{ i: null }, {}, { i: 1 }],
    pipeline: [{ $setWindowFields: { sortBy: { i: 1 }, output: { r: { $denseRank: {} } } } }],
    result: [{ i: null, r: 1 }, { r: 1 }, { i: 1, r: 2 }],
    unordered: true,
    wholeInEngine: true,
  },
]
