import type { Case } from '../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'takes the first',
    documents: [
      { n: 3, k: 'c' },
      { n: 1, k: 'a' },
      { n: 2, k: 'b' },
    ],
    pipeline: [{ $sort: { n: 1 } }, { $group: { _id: null, value: { $firstN: { input: '$k', n: 2 } } } }],
    result: [{ _id: null, value: ['a', 'b'] }],
    wholeInEngine: true,
  },
  {
    name: 'takes all where there are fewer',
    documents: [
      { n: 3, k: 'c' },
      { n: 1, k: 'a' },
      { n: 2, k: 'b' },
    ],
    pipeline: [{ $sort: { n: 1 } }, { $group: { _id: null, value: { $firstN: { input: '$k', n: 9 } } } }],
    result: [{ _id: null, value: ['a', 'b', 'c'] }],
    wholeInEngine: true,
  },
  {
    name: 'keeps missing ones as null',
    documents: [{ n: 1 }, { n: 2, k: 'b' }],
    pipeline: [{ $sort: { n: 1 } }, { $group: { _id: null, value: { $firstN: { input: '$k', n: 2 } } } }],
    result: [{ _id: null, value: [null, 'b'] }],
  },
  {
    name: 'refuses 0',
    documents: [{ n: 2 }, { n: 7 }, { n: 3 }],
    pipeline: [{ $group: { _id: null, value: { $firstN: { input: '$n', n: 0 } } } }],
    error: 'is a whole number from 1',
  },
  {
    name: 'needs n',
    documents: [{ n: 2 }, { n: 7 }, { n: 3 }],
    pipeline: [{ $group: { _id: null, value: { $firstN: { input: '$n' } } } }],
    error: '$firstN needs the argument n',
  },
  {
    name: 'keeps as many as the key of the group says',
    documents: [1, 2, 3].map(v => ({ s: 'CA', v })).concat([7, 8].map(v => ({ s: 'NY', v }))),
    pipeline: [
      {
        $group: {
          _id: { state: '$s' },
          value: { $firstN: { n: { $cond: [{ $eq: ['$state', 'CA'] }, 2, 1] }, input: '$v' } },
        },
      },
    ],
    result: [
      { _id: { state: 'CA' }, value: [1, 2] },
      { _id: { state: 'NY' }, value: [7] },
    ],
  },
]
