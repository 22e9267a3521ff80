import type { Case } from '../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'carries the last value on',
    calls: [{}, { score: 3 }, {}, { score: 5 }],
    pipeline: [
      { $setWindowFields: { sortBy: { _id: 1 }, output: { r: { $locf: '$score' } } } },
      { $project: { r: 1 } },
    ],
    result: [
      { _id: 'c0', r: null },
      { _id: 'c1', r: 3 },
      { _id: 'c2', r: 3 },
      { _id: 'c3', r: 5 },
    ],
    wholeInEngine: true,
  },
]
