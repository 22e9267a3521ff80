import type { Case } from '../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'is the deviation',
    documents: [{ n: 2 }, { n: 4 }],
    pipeline: [{ $group: { _id: null, value: { $stdDevPop: '$n' } } }],
    result: [{ _id: null, value: 1 }],
    wholeInEngine: true,
  },
  {
    name: 'is 0 of one',
    documents: [{ n: 2 }],
    pipeline: [{ $group: { _id: null, value: { $stdDevPop: '$n' } } }],
    result: [{ _id: null, value: 0 }],
    wholeInEngine: true,
  },
  {
    name: 'is null of none',
    documents: [{ n: 'x' }],
    pipeline: [{ $group: { _id: null, value: { $stdDevPop: '$n' } } }],
    result: [{ _id: null, value: null }],
    wholeInEngine: true,
  },
  {
    name: 'does not raise for numbers too large to square',
    documents: [{ n: 1e200 }, { n: -1e200 }],
    pipeline: [{ $group: { _id: null, value: { $stdDevPop: '$n' } } }],
    result: [{ _id: null, value: { $numberDouble: 'NaN' } }],
    wholeInEngine: true,
  },
]
