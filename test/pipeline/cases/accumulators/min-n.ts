import type { Case } from '../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'takes the extremes in order',
    documents: [{ n: 2 }, { n: 7 }, { n: 3 }],
    pipeline: [{ $group: { _id: null, value: { $minN: { input: '$n', n: 2 } } } }],
    result: [{ _id: null, value: [2, 3] }],
    wholeInEngine: true,
  },
  {
    name: 'ignores null and missing',
    documents: [{ n: 2 }, {}],
    pipeline: [{ $group: { _id: null, value: { $minN: { input: '$n', n: 2 } } } }],
    result: [{ _id: null, value: [2] }],
    wholeInEngine: true,
  },
  {
    name: 'is [] of nothing',
    documents: [{ a: 1 }],
    pipeline: [{ $group: { _id: null, value: { $minN: { input: '$n', n: 2 } } } }],
    result: [{ _id: null, value: [] }],
  },
  {
    name: 'goes by the order of types',
    documents: [{ n: 3 }, { n: 'x' }],
    pipeline: [{ $group: { _id: null, value: { $minN: { input: '$n', n: 2 } } } }],
    result: [{ _id: null, value: [3, 'x'] }],
  },
  {
    name: 'keeps as many as the key of the group says',
    documents: [1, 2, 3].map(v => ({ s: 'CA', v })).concat([7, 8].map(v => ({ s: 'NY', v }))),
    pipeline: [
      {
        $group: {
          _id: { state: '$s' },
          value: { $minN: { n: { $cond: [{ $eq: ['$state', 'CA'] }, 2, 1] }, input: '$v' } },
        },
      },
    ],
    result: [
      { _id: { state: 'CA' }, value: [1, 2] },
      { _id: { state: 'NY' }, value: [7] },
    ],
  },
]
