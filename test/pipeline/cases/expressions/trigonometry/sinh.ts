import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'takes any number',
    expression: { $sinh: '$a' },
    document: { a: -1.5 },
    result: -2.1292794550948173,
    wholeInEngine: true,
  },
  {
    name: 'takes ints',
    expression: { $sinh: '$a' },
    document: { a: 1 },
    result: 1.1752011936438014,
    wholeInEngine: true,
  },
  { name: 'is null for null', expression: { $sinh: '$a' }, document: { a: null }, result: null, wholeInEngine: true },
  { name: 'is null for a missing field', expression: { $sinh: '$nothing' }, document: { a: 1 }, result: null },
  {
    name: 'refuses a string, whose value it does not tell',
    expression: { $sinh: '$a' },
    document: { a: 'secret' },
    error: '$sinh takes',
  },
  {
    name: 'refuses a string among numbers of an open field',
    documents: [{ a: 1 }, { a: 'secret' }],
    pipeline: [{ $project: { _id: 0, value: { $sinh: '$a' } } }],
    error: /not string$/,
  },
]
