import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  { name: 'takes the sign off', expression: { $abs: '$a' }, document: { a: -2.5 }, result: 2.5, wholeInEngine: true },
  {
    name: 'keeps an int an int',
    expression: { $type: { $abs: '$a' } },
    document: { a: -2 },
    result: 'int',
    wholeInEngine: true,
  },
  {
    name: 'widens the smallest int',
    expression: { $type: { $abs: '$a' } },
    document: { a: -2147483648 },
    result: 'long',
  },
  {
    name: 'takes its operand in an array too',
    expression: { $abs: ['$a'] },
    document: { a: -1 },
    result: 1,
    wholeInEngine: true,
  },
  {
    name: 'reads numbers of an open field',
    documents: [{ a: -1 }, { a: -1.5 }, { a: null }, {}],
    pipeline: [{ $project: { _id: 0, value: { $abs: '$a' } } }],
    result: [{ value: 1 }, { value: 1.5 }, { value: null }, { value: null }],
    wholeInEngine: true,
  },
  { name: 'is null for null', expression: { $abs: '$a' }, document: { a: null }, result: null, wholeInEngine: true },
  { name: 'is null for a missing field', expression: { $abs: '$nothing' }, document: { a: 1 }, result: null },
  {
    name: 'refuses a string, whose value it does not tell',
    expression: { $abs: '$a' },
    document: { a: 'secret' },
    error: '$abs takes',
  },
  {
    name: 'refuses a string among numbers of an open field',
    documents: [{ a: 1 }, { a: 'secret' }],
    pipeline: [{ $project: { _id: 0, value: { $abs: '$a' } } }],
    error: /not string$/,
  },
  {
    name: 'refuses the least long, whose size no long holds',
    expression: { $abs: { $numberLong: '-9223372036854775808' } },
    document: {},
    error: '$abs can not hold this number in a long',
  },
]
