import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'takes any number',
    expression: { $asinh: '$a' },
    document: { a: -1.5 },
    result: -1.1947632172871094,
    wholeInEngine: true,
  },
  {
    name: 'takes ints',
    expression: { $asinh: '$a' },
    document: { a: 1 },
    result: 0.881373587019543,
    wholeInEngine: true,
  },
  { name: 'is null for null', expression: { $asinh: '$a' }, document: { a: null }, result: null, wholeInEngine: true },
  { name: 'is null for a missing field', expression: { $asinh: '$nothing' }, document: { a: 1 }, result: null },
  {
    name: 'refuses a string, whose value it does not tell',
    expression: { $asinh: '$a' },
    document: { a: 'secret' },
    error: '$asinh takes',
  },
  {
    name: 'refuses a string among numbers of an open field',
    documents: [{ a: 1 }, { a: 'secret' }],
    pipeline: [{ $project: { _id: 0, value: { $asinh: '$a' } } }],
    error: /not string$/,
  },
]
