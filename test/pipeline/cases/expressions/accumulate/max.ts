import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'is the greatest of an array',
    expression: { $max: '$a' },
    document: { a: [9, 1, 5] },
    result: 9,
    wholeInEngine: true,
  },
  {
    name: 'of values side by side',
    expression: { $max: ['$a', '$b'] },
    document: { a: 9, b: 1 },
    result: 9,
    wholeInEngine: true,
  },
  {
    name: 'leaves missing ones out',
    documents: [{ a: 5 }, {}],
    pipeline: [{ $project: { _id: 0, value: { $max: ['$a', '$b'] } } }],
    result: [{ value: 5 }, { value: null }],
    wholeInEngine: true,
  },
  { name: 'goes by the order of types', expression: { $max: ['x', 3] }, result: 'x' },
  { name: 'is null of nothing', expression: { $max: [[]] }, result: null },
  { name: 'is null of no operands', expression: { $max: [] }, result: null },
]
