import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'takes the first branch',
    expression: { $cond: [{ $gte: ['$a', 3] }, 'yes', 'no'] },
    document: { a: 3 },
    result: 'yes',
    wholeInEngine: true,
  },
  {
    name: 'takes the second',
    expression: { $cond: { if: { $gte: ['$a', 3] }, then: 'yes', else: 'no' } },
    document: { a: 2 },
    result: 'no',
    wholeInEngine: true,
  },
  {
    name: 'keeps an int beside a double',
    expression: { $type: { $cond: ['$a', 1, '$b'] } },
    document: { a: true, b: 2.5 },
    result: 'int',
    wholeInEngine: true,
  },
  {
    name: 'keeps the double too',
    expression: { $type: { $cond: ['$a', 1, '$b'] } },
    document: { a: false, b: { $numberDouble: '2' } },
    result: 'double',
    wholeInEngine: true,
  },
  {
    name: 'does not evaluate the branch not taken',
    expression: { $cond: [{ $eq: ['$a', 0] }, null, { $divide: [1, '$a'] }] },
    document: { a: 0 },
    result: null,
    wholeInEngine: true,
  },
  {
    name: 'raises in the branch taken',
    expression: { $cond: [true, { $divide: [1, '$a'] }, 0] },
    document: { a: 0 },
    error: '$divide can not divide by zero',
  },
  { name: 'gives values of two types', expression: { $cond: ['$a', 1, 'one'] }, document: { a: false }, result: 'one' },
  {
    name: 'leaves a field out with $$REMOVE',
    expression: { $cond: [{ $gt: ['$a', 1] }, '$a', '$$REMOVE'] },
    document: { a: 0 },
    result: undefined,
    wholeInEngine: true,
  },
  {
    name: 'works beside an open field',
    documents: [{ a: 1 }, { a: 'x' }, { a: null }],
    pipeline: [{ $project: { _id: 0, value: { $cond: [{ $eq: ['$a', 1] }, 'one', '$a'] } } }],
    result: [{ value: 'one' }, { value: 'x' }, { value: null }],
    wholeInEngine: true,
  },
  {
    name: 'names a part it does not know',
    expression: { $cond: { if: 1, then: 2, otherwise: 3 } },
    error: 'The argument of $cond',
  },
  { name: 'needs every part', expression: { $cond: { if: 1, then: 2 } }, error: '$cond needs the argument else' },
]
