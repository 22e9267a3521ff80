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
]
