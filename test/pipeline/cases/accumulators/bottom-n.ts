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
  {
    name: 'keeps as many as the key of the group says',
    documents: [1, 2, 3].map(v => ({ s: 'CA', v })).concat([7, 8].map(v => ({ s: 'NY', v }))),
    pipeline: [
      {
        $group: {
          _id: { state: '$s' },
          value: { $bottomN: { n: { $cond: [{ $eq: ['$state', 'CA'] }, 2, 1] }, sortBy: { v: -1 }, output: '$v' } },
        },
      },
    ],
    result: [
      { _id: { state: 'CA' }, value: [2, 1] },
      { _id: { state: 'NY' }, value: [7] },
    ],
  },
]
