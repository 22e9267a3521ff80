import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'goes to the next whole number',
    expression: { $ceil: '$a' },
    document: { a: 2.1 },
    result: 3,
    wholeInEngine: true,
  },
  { name: 'does so below zero', expression: { $ceil: '$a' }, document: { a: -2.5 }, result: -2, wholeInEngine: true },
  {
    name: 'gives a double for a double',
    expression: { $type: { $ceil: '$a' } },
    document: { a: 2.1 },
    result: 'double',
    wholeInEngine: true,
  },
  {
    name: 'keeps ints',
    expression: { $type: { $ceil: '$a' } },
    document: { a: 2 },
    result: 'int',
    wholeInEngine: true,
  },
  { name: 'keeps NaN', expression: { $ceil: { $numberDouble: 'NaN' } }, result: { $numberDouble: 'NaN' } },
  { name: 'is null for null', expression: { $ceil: '$a' }, document: { a: null }, result: null, wholeInEngine: true },
  { name: 'is null for a missing field', expression: { $ceil: '$nothing' }, document: { a: 1 }, result: null },
  {
    name: 'refuses a string, whose value it does not tell',
    expression: { $ceil: '$a' },
    document: { a: 'secret' },
    error: '$ceil takes',
  },
  {
    name: 'refuses a string among numbers of an open field',
    documents: [{ a: 1 }, { a: 'secret' }],
    pipeline: [{ $project: { _id: 0, value: { $ceil: '$a' } } }],
    error: /not string$/,
  },
]
