import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  { name: 'is the square root', expression: { $sqrt: '$a' }, document: { a: 16 }, result: 4, wholeInEngine: true },
  {
    name: 'refuses a negative number',
    expression: { $sqrt: '$a' },
    document: { a: -1 },
    error: '$sqrt takes numbers from 0',
  },
  {
    name: 'refuses one among many',
    documents: [{ a: 4 }, { a: -4 }],
    pipeline: [{ $project: { _id: 0, value: { $sqrt: '$a' } } }],
    error: '$sqrt takes numbers from 0',
  },
  { name: 'is null for null', expression: { $sqrt: '$a' }, document: { a: null }, result: null, wholeInEngine: true },
  { name: 'is null for a missing field', expression: { $sqrt: '$nothing' }, document: { a: 1 }, result: null },
  {
    name: 'refuses a string, whose value it does not tell',
    expression: { $sqrt: '$a' },
    document: { a: 'secret' },
    error: '$sqrt takes',
  },
  {
    name: 'refuses a string among numbers of an open field',
    documents: [{ a: 1 }, { a: 'secret' }],
    pipeline: [{ $project: { _id: 0, value: { $sqrt: '$a' } } }],
    error: /not string$/,
  },
]
