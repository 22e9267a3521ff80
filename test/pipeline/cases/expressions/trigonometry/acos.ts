import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'is the inverse',
    expression: { $acos: '$a' },
    document: { a: 0.5 },
    result: 1.0471975511965979,
    wholeInEngine: true,
  },
  {
    name: 'refuses what is above 1',
    expression: { $acos: '$a' },
    document: { a: 1.5 },
    error: '$acos takes numbers from -1 to 1',
  },
  { name: 'takes 1', expression: { $acos: '$a' }, document: { a: 1 }, result: 0 },
  { name: 'is null for null', expression: { $acos: '$a' }, document: { a: null }, result: null, wholeInEngine: true },
  { name: 'is null for a missing field', expression: { $acos: '$nothing' }, document: { a: 1 }, result: null },
  {
    name: 'refuses a string, whose value it does not tell',
    expression: { $acos: '$a' },
    document: { a: 'secret' },
    error: '$acos takes',
  },
  {
    name: 'refuses a string among numbers of an open field',
    documents: [{ a: 1 }, { a: 'secret' }],
    pipeline: [{ $project: { _id: 0, value: { $acos: '$a' } } }],
    error: /not string$/,
  },
]
