import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'is e to a power',
    expression: { $exp: '$a' },
    document: { a: 1 },
    result: 2.718281828459045,
    wholeInEngine: true,
  },
  {
    name: 'overflows to infinity',
    expression: { $exp: '$a' },
    document: { a: 1000 },
    result: { $numberDouble: 'Infinity' },
    wholeInEngine: true,
  },
  { name: 'is null for null', expression: { $exp: '$a' }, document: { a: null }, result: null, wholeInEngine: true },
  { name: 'is null for a missing field', expression: { $exp: '$nothing' }, document: { a: 1 }, result: null },
  {
    name: 'refuses a string, whose value it does not tell',
    expression: { $exp: '$a' },
    document: { a: 'secret' },
    error: '$exp takes',
  },
  {
    name: 'refuses a string among numbers of an open field',
    documents: [{ a: 1 }, { a: 'secret' }],
    pipeline: [{ $project: { _id: 0, value: { $exp: '$a' } } }],
    error: /not string$/,
  },
]
