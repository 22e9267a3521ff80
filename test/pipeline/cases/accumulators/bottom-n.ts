import type { Case } from '../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'takes the last in order',
    documents: [
      { k: 'a', n: 2 },
      { k: 'b', n: 7 },
      { k: 'c', n: 5 },
    ],
    pipeline: [{ $group: { _id: null, value: { $bottomN: { n: 2, sortBy: { n: -1 }, output: '$k' } } } }],
    result: [{ _id: null, value: ['c', 'a'] }],
    wholeInEngine: true,
  },
]
