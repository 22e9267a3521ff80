import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'is the least of an array',
    expression: { $min: '$a' },
    document: { a: [9, 1, 5] },
    result: 1,
    wholeInEngine: true,
  },
  {
    name: 'of values side by side',
    expression: { $min: ['$a', '$b'] },
    document: { a: 9, b: 1 },
    result: 1,
    wholeInEngine: true,
  },
  {
    name: 'leaves missing ones out',
    documents: [{ a: 5 }, {}],
    pipeline: [{ $project: { _id: 0, value: { $min: ['$a', '$b'] } } }],
    result: [{ value: 5 }, { value: null }],
    wholeInEngine: true,
  },
  { name: 'goes by the order of types', expression: { $min: ['x', 3] }, result: 3 },
  { name: 'is null of nothing', expression: { $min: [[]] }, result: null },
]
