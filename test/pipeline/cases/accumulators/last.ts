import type { Case } from '../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'takes the last in the order of a sort',
    documents: [
      { n: 3, k: 'c' },
      { n: 1, k: 'a' },
      { n: 2, k: 'b' },
    ],
    pipeline: [{ $sort: { n: 1 } }, { $group: { _id: null, value: { $last: '$k' } } }],
    result: [{ _id: null, value: 'c' }],
    wholeInEngine: true,
  },
  {
    name: 'gives null for a missing value',
    documents: [{ n: 1, k: 'b' }, { n: 2 }],
    pipeline: [{ $sort: { n: 1 } }, { $group: { _id: null, value: { $last: '$k' } } }],
    result: [{ _id: null, value: null }],
    wholeInEngine: true,
  },
]
