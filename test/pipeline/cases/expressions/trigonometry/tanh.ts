import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'takes any number',
    expression: { $tanh: '$a' },
    document: { a: -1.5 },
    result: -0.9051482536448664,
    wholeInEngine: true,
  },
  {
    name: 'takes ints',
    expression: { $tanh: '$a' },
    document: { a: 1 },
    result: 0.7615941559557649,
    wholeInEngine: true,
  },
  { name: 'is null for null', expression: { $tanh: '$a' }, document: { a: null }, result: null, wholeInEngine: true },
  { name: 'is null for a missing field', expression: { $tanh: '$nothing' }, document: { a: 1 }, result: null },
  {
    name: 'refuses a string, whose value it does not tell',
    expression: { $tanh: '$a' },
    document: { a: 'secret' },
    error: '$tanh takes',
  },
  {
    name: 'refuses a string among numbers of an open field',
    documents: [{ a: 1 }, { a: 'secret' }],
    pipeline: [{ $project: { _id: 0, value: { $tanh: '$a' } } }],
    error: /not string$/,
  },
]
