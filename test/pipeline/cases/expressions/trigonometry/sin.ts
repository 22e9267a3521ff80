import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'works in radians',
    expression: { $sin: '$a' },
    document: { a: 1 },
    result: 0.8414709848078965,
    wholeInEngine: true,
  },
  { name: 'refuses infinity', expression: { $sin: { $numberDouble: 'Infinity' } }, error: '$sin takes finite numbers' },
  { name: 'keeps NaN', expression: { $sin: { $numberDouble: 'NaN' } }, result: { $numberDouble: 'NaN' } },
  { name: 'is null for null', expression: { $sin: '$a' }, document: { a: null }, result: null, wholeInEngine: true },
  { name: 'is null for a missing field', expression: { $sin: '$nothing' }, document: { a: 1 }, result: null },
  {
    name: 'refuses a string, whose value it does not tell',
    expression: { $sin: '$a' },
    document: { a: 'secret' },
    error: '$sin takes',
  },
  {
    name: 'refuses a string among numbers of an open field',
    documents: [{ a: 1 }, { a: 'secret' }],
    pipeline: [{ $project: { _id: 0, value: { $sin: '$a' } } }],
    error: /not string$/,
  },
]
