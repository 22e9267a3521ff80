import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'takes any number',
    expression: { $atan: '$a' },
    document: { a: -1.5 },
    result: -0.982793723247329,
    wholeInEngine: true,
  },
  {
    name: 'takes ints',
    expression: { $atan: '$a' },
    document: { a: 1 },
    result: 0.7853981633974483,
    wholeInEngine: true,
  },
  { name: 'is null for null', expression: { $atan: '$a' }, document: { a: null }, result: null, wholeInEngine: true },
  { name: 'is null for a missing field', expression: { $atan: '$nothing' }, document: { a: 1 }, result: null },
  {
    name: 'refuses a string, whose value it does not tell',
    expression: { $atan: '$a' },
    document: { a: 'secret' },
    error: '$atan takes',
  },
  {
    name: 'refuses a string among numbers of an open field',
    documents: [{ a: 1 }, { a: 'secret' }],
    pipeline: [{ $project: { _id: 0, value: { $atan: '$a' } } }],
    error: /not string$/,
  },
]
