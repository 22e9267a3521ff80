import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  { name: 'squares an int', expression: { $pow: ['$a', 2] }, document: { a: 12 }, result: 144, wholeInEngine: true },
  {
    name: 'calls that an int',
    expression: { $type: { $pow: ['$a', 2] } },
    document: { a: 12 },
    result: 'int',
    wholeInEngine: true,
  },
  {
    name: 'raises a double',
    expression: { $pow: ['$a', 0.5] },
    document: { a: { $numberDouble: '9' } },
    result: 3,
    wholeInEngine: true,
  },
  { name: 'gives a double for a negative exponent', expression: { $pow: ['$a', -1] }, document: { a: 2 }, result: 0.5 },
  { name: 'widens to a long', expression: { $pow: ['$a', 40] }, document: { a: 2 }, result: 1099511627776 },
  { name: 'widens to a double', expression: { $type: { $pow: ['$a', 100] } }, document: { a: 2 }, result: 'double' },
  { name: 'keeps 1 and -1 ints for any exponent', expression: { $pow: [-1, 101] }, result: -1 },
  {
    name: 'refuses 0 with a negative exponent',
    expression: { $pow: ['$a', -1] },
    document: { a: 0 },
    error: '$pow can not raise 0',
  },
  {
    name: 'refuses 0.0 with a negative exponent',
    expression: { $pow: ['$a', -1] },
    document: { a: { $numberDouble: '0' } },
    error: '$pow can not raise 0',
  },
  {
    name: 'gives NaN for the root of a negative number',
    expression: { $pow: ['$a', 0.5] },
    document: { a: { $numberDouble: '-8' } },
    result: { $numberDouble: 'NaN' },
  },
  { name: 'is null for null', expression: { $pow: ['$a', 2] }, document: { a: null }, result: null },
  {
    name: 'refuses a string, whose value it does not tell',
    expression: { $pow: ['$a', 2] },
    document: { a: 'secret' },
    error: '$pow takes',
  },
  {
    name: 'refuses a string among numbers of an open field',
    documents: [{ a: 1 }, { a: 'secret' }],
    pipeline: [{ $project: { _id: 0, value: { $pow: ['$a', 2] } } }],
    error: /not string$/,
  },
]
