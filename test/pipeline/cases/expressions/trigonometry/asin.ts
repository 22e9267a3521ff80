import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'is the inverse',
    expression: { $asin: '$a' },
    document: { a: 0.5 },
    result: 0.5235987755982989,
    wholeInEngine: true,
  },
  {
    name: 'refuses what is above 1',
    expression: { $asin: '$a' },
    document: { a: 1.5 },
    error: '$asin takes numbers from -1 to 1',
  },
  { name: 'takes 1', expression: { $asin: '$a' }, document: { a: 1 }, result: 1.5707963267948966 },
  { name: 'is null for null', expression: { $asin: '$a' }, document: { a: null }, result: null, wholeInEngine: true },
  { name: 'is null for a missing field', expression: { $asin: '$nothing' }, document: { a: 1 }, result: null },
  {
    name: 'refuses a string, whose value it does not tell',
    expression: { $asin: '$a' },
    document: { a: 'secret' },
    error: '$asin takes',
  },
  {
    name: 'refuses a string among numbers of an open field',
    documents: [{ a: 1 }, { a: 'secret' }],
    pipeline: [{ $project: { _id: 0, value: { $asin: '$a' } } }],
    error: /not string$/,
  },
]
