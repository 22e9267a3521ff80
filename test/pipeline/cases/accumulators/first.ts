import type { Case } from '../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'takes the first in the order of a sort',
    documents: [
      { n: 3, k: 'c' },
      { n: 1, k: 'a' },
      { n: 2, k: 'b' },
    ],
    pipeline: [{ $sort: { n: 1 } }, { $group: { _id: null, value: { $first: '$k' } } }],
    result: [{ _id: null, value: 'a' }],
    wholeInEngine: true,
  },
  {
    name: 'gives null for a missing value',
    documents: [{ n: 1 }, { n: 2, k: 'b' }],
    pipeline: [{ $sort: { n: 1 } }, { $group: { _id: null, value: { $first: '$k' } } }],
    result: [{ _id: null, value: null }],
    wholeInEngine: true,
  },
]
