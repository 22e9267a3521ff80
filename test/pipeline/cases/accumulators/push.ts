import type { Case } from '../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'keeps the order of a sort',
    documents: [
      { n: 3, k: 'c' },
      { n: 1, k: 'a' },
      { n: 2, k: 'b' },
    ],
    pipeline: [{ $sort: { n: 1 } }, { $group: { _id: null, value: { $push: '$k' } } }],
    result: [{ _id: null, value: ['a', 'b', 'c'] }],
    wholeInEngine: true,
  },
  {
    name: 'leaves missing out and keeps null',
    documents: [{ n: 2 }, {}, { n: null }],
    pipeline: [{ $group: { _id: null, value: { $push: '$n' } } }],
    result: [{ _id: null, value: [2, null] }],
  },
  {
    name: 'is [] of nothing',
    documents: [{ a: 1 }],
    pipeline: [{ $group: { _id: null, value: { $push: '$n' } } }],
    result: [{ _id: null, value: [] }],
  },
  {
    name: 'gathers documents',
    documents: [
      { n: 3, k: 'c' },
      { n: 1, k: 'a' },
      { n: 2, k: 'b' },
    ],
    pipeline: [{ $sort: { n: 1 } }, { $group: { _id: null, value: { $push: { k: '$k' } } } }],
    result: [{ _id: null, value: [{ k: 'a' }, { k: 'b' }, { k: 'c' }] }],
    wholeInEngine: true,
  },
]
