import type { Case } from '../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'is the middle',
    documents: [{ n: 2 }, { n: 7 }, { n: 3 }],
    pipeline: [{ $group: { _id: null, value: { $median: { input: '$n', method: 'approximate' } } } }],
    result: [{ _id: null, value: 3 }],
    wholeInEngine: true,
  },
  {
    name: 'is the lower of two',
    documents: [{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }],
    pipeline: [{ $group: { _id: null, value: { $median: { input: '$n', method: 'approximate' } } } }],
    result: [{ _id: null, value: 2 }],
    wholeInEngine: true,
  },
  {
    name: 'is null of nothing',
    documents: [{ a: 1 }],
    pipeline: [{ $group: { _id: null, value: { $median: { input: '$n', method: 'approximate' } } } }],
    result: [{ _id: null, value: null }],
    wholeInEngine: true,
  },
  {
    name: 'ignores what is no number',
    documents: [{ n: 5 }, { n: 'x' }, {}],
    pipeline: [{ $group: { _id: null, value: { $median: { input: '$n', method: 'approximate' } } } }],
    result: [{ _id: null, value: 5 }],
    wholeInEngine: true,
  },
  {
    name: 'knows one method',
    documents: [{ n: 2 }, { n: 7 }, { n: 3 }],
    pipeline: [{ $group: { _id: null, value: { $median: { input: '$n', method: 'continuous' } } } }],
    error: 'is "approximate"',
  },
]
