import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'is the logarithm',
    expression: { $ln: '$a' },
    document: { a: 2.718281828459045 },
    result: 1,
    wholeInEngine: true,
  },
  { name: 'refuses 0', expression: { $ln: '$a' }, document: { a: 0 }, error: '$ln takes numbers above 0' },
  {
    name: 'refuses a negative number',
    expression: { $ln: '$a' },
    document: { a: -1 },
    error: '$ln takes numbers above 0',
  },
  { name: 'keeps NaN', expression: { $ln: { $numberDouble: 'NaN' } }, result: { $numberDouble: 'NaN' } },
  { name: 'is null for null', expression: { $ln: '$a' }, document: { a: null }, result: null, wholeInEngine: true },
  { name: 'is null for a missing field', expression: { $ln: '$nothing' }, document: { a: 1 }, result: null },
  {
    name: 'refuses a string, whose value it does not tell',
    expression: { $ln: '$a' },
    document: { a: 'secret' },
    error: '$ln takes',
  },
  {
    name: 'refuses a string among numbers of an open field',
    documents: [{ a: 1 }, { a: 'secret' }],
    pipeline: [{ $project: { _id: 0, value: { $ln: '$a' } } }],
    error: /not string$/,
  },
]
