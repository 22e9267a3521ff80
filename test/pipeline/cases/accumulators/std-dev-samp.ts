import type { Case } from '../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'is the deviation',
    documents: [{ n: 1 }, { n: 2 }, { n: 3 }],
    pipeline: [{ $group: { _id: null, value: { $stdDevSamp: '$n' } } }],
    result: [{ _id: null, value: 1 }],
    wholeInEngine: true,
  },
  {
    name: 'is null of one',
    documents: [{ n: 2 }],
    pipeline: [{ $group: { _id: null, value: { $stdDevSamp: '$n' } } }],
    result: [{ _id: null, value: null }],
    wholeInEngine: true,
  },
]
