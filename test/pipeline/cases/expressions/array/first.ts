import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'takes the first element',
    expression: { $first: '$a' },
    document: { a: ['x', 'y', 'z'] },
    result: 'x',
    wholeInEngine: true,
  },
  {
    name: 'is missing in an empty array',
    expression: { $first: '$a' },
    document: { a: [], b: 1 },
    result: undefined,
    wholeInEngine: true,
  },
  {
    name: 'replaced where there is none',
    expression: { $ifNull: [{ $first: '$a' }, 'none'] },
    document: { a: ['x'] },
    result: 'x',
    wholeInEngine: true,
  },
  { name: 'is null for null', expression: { $first: '$a' }, document: { a: null, b: 1 }, result: null },
  { name: 'is null for a missing field', expression: { $first: '$nothing' }, document: { a: 1 }, result: null },
  {
    name: 'refuses what is no array',
    expression: { $first: '$a' },
    document: { a: 'secret' },
    error: /\$first takes .*array.*, not string$/,
  },
  {
    name: 'refuses it among arrays of an open field',
    documents: [{ a: [1] }, { a: 'secret' }],
    pipeline: [{ $project: { _id: 0, value: { $first: '$a' } } }],
    error: /not string$/,
  },
]
