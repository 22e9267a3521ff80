import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'is the mean of an array',
    expression: { $avg: '$a' },
    document: { a: [1, 2] },
    result: 1.5,
    wholeInEngine: true,
  },
  { name: 'of doubles', expression: { $avg: '$a' }, document: { a: [1.5, 2.5] }, result: 2, wholeInEngine: true },
  {
    name: 'is null for a missing array',
    documents: [{ a: [1] }, {}],
    pipeline: [{ $project: { _id: 0, value: { $avg: '$a' } } }],
    result: [{ value: 1 }, { value: null }],
    wholeInEngine: true,
  },
  { name: 'leaves out what is no number', expression: { $avg: [1, 'x', 3] }, result: 2 },
  { name: 'is null of no operands', expression: { $avg: [] }, result: null },
]
