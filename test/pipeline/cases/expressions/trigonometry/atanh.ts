import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'is the inverse',
    expression: { $atanh: '$a' },
    document: { a: 0.5 },
    result: 0.5493061443340548,
    wholeInEngine: true,
  },
  {
    name: 'refuses what is above 1',
    expression: { $atanh: '$a' },
    document: { a: 1.5 },
    error: '$atanh takes numbers from -1 to 1',
  },
  { name: 'takes 1', expression: { $atanh: '$a' }, document: { a: 1 }, result: { $numberDouble: 'Infinity' } },
  { name: 'is null for null', expression: { $atanh: '$a' }, document: { a: null }, result: null, wholeInEngine: true },
  { name: 'is null for a missing field', expression: { $atanh: '$nothing' }, document: { a: 1 }, result: null },
  {
    name: 'refuses a string, whose value it does not tell',
    expression: { $atanh: '$a' },
    document: { a: 'secret' },
    error: '$atanh takes',
  },
  {
    name: 'refuses a string among numbers of an open field',
    documents: [{ a: 1 }, { a: 'secret' }],
    pipeline: [{ $project: { _id: 0, value: { $atanh: '$a' } } }],
    error: /not string$/,
  },
]
