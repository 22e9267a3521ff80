import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  { name: 'is -1 below', expression: { $cmp: ['$v', 4] }, document: { v: 3 }, result: -1, wholeInEngine: true },
  {
    name: 'is 0 for equal values',
    expression: { $cmp: ['$v', 3] },
    document: { v: 3 },
    result: 0,
    wholeInEngine: true,
  },
  { name: 'is 1 above', expression: { $cmp: ['$v', 2] }, document: { v: 3 }, result: 1, wholeInEngine: true },
  {
    name: 'knows the order of types',
    expression: { $cmp: ['$v', 'a'] },
    document: { v: 3 },
    result: -1,
    wholeInEngine: true,
  },
  {
    name: 'is an int',
    expression: { $type: { $cmp: ['$v', 1] } },
    document: { v: 3 },
    result: 'int',
    wholeInEngine: true,
  },
  {
    name: 'works over an open field',
    documents: [{ a: 1 }, { a: 'x' }, {}],
    pipeline: [{ $project: { _id: 0, value: { $cmp: ['$a', 1] } } }],
    result: [{ value: 0 }, { value: 1 }, { value: -1 }],
    wholeInEngine: true,
  },
]
