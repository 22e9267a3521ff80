import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'is the inverse of cosh',
    expression: { $acosh: '$a' },
    document: { a: 2 },
    result: 1.3169578969248166,
    wholeInEngine: true,
  },
  {
    name: 'refuses what is below 1',
    expression: { $acosh: '$a' },
    document: { a: 0.5 },
    error: '$acosh takes numbers from 1',
  },
  { name: 'is null for null', expression: { $acosh: '$a' }, document: { a: null }, result: null, wholeInEngine: true },
  { name: 'is null for a missing field', expression: { $acosh: '$nothing' }, document: { a: 1 }, result: null },
  {
    name: 'refuses a string, whose value it does not tell',
    expression: { $acosh: '$a' },
    document: { a: 'secret' },
    error: '$acosh takes',
  },
  {
    name: 'refuses a string among numbers of an open field',
    documents: [{ a: 1 }, { a: 'secret' }],
    pipeline: [{ $project: { _id: 0, value: { $acosh: '$a' } } }],
    error: /not string$/,
  },
]
