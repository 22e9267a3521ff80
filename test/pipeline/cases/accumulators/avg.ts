import type { Case } from '../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'is the mean',
    documents: [{ n: 2 }, { n: 7 }, { n: 3 }],
    pipeline: [{ $group: { _id: null, value: { $avg: '$n' } } }],
    result: [{ _id: null, value: 4 }],
    wholeInEngine: true,
  },
  {
    name: 'is null of nothing',
    documents: [{ a: 1 }],
    pipeline: [{ $group: { _id: null, value: { $avg: '$n' } } }],
    result: [{ _id: null, value: null }],
    wholeInEngine: true,
  },
  {
    name: 'ignores what is no number',
    documents: [{ n: 2 }, { n: 'x' }, {}],
    pipeline: [{ $group: { _id: null, value: { $avg: '$n' } } }],
    result: [{ _id: null, value: 2 }],
    wholeInEngine: true,
  },
  {
    name: 'gives infinity',
    documents: [{ n: 1.5 }],
    pipeline: [{ $group: { _id: null, value: { $avg: { $multiply: ['$n', { $numberDouble: 'Infinity' }] } } } }],
    result: [{ _id: null, value: { $numberDouble: 'Infinity' } }],
    wholeInEngine: true,
  },
  {
    name: 'gives a double',
    documents: [{ n: 2 }, { n: 7 }, { n: 3 }],
    pipeline: [{ $group: { _id: null, a: { $avg: '$n' } } }, { $project: { _id: 0, t: { $type: '$a' } } }],
    result: [{ t: 'double' }],
    wholeInEngine: true,
  },
]
