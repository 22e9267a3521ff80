import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'takes any number',
    expression: { $cosh: '$a' },
    document: { a: -1.5 },
    result: 2.352409615243247,
    wholeInEngine: true,
  },
  {
    name: 'takes ints',
    expression: { $cosh: '$a' },
    document: { a: 1 },
    result: 1.5430806348152437,
    wholeInEngine: true,
  },
  { name: 'is null for null', expression: { $cosh: '$a' }, document: { a: null }, result: null, wholeInEngine: true },
  { name: 'is null for a missing field', expression: { $cosh: '$nothing' }, document: { a: 1 }, result: null },
  {
    name: 'refuses a string, whose value it does not tell',
    expression: { $cosh: '$a' },
    document: { a: 'secret' },
    error: '$cosh takes',
  },
  {
    name: 'refuses a string among numbers of an open field',
    documents: [{ a: 1 }, { a: 'secret' }],
    pipeline: [{ $project: { _id: 0, value: { $cosh: '$a' } } }],
    error: /not string$/,
  },
]
