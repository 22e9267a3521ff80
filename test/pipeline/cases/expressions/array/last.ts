import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'takes the last element',
    expression: { $last: '$a' },
    document: { a: ['x', 'y', 'z'] },
    result: 'z',
    wholeInEngine: true,
  },
  {
    name: 'is missing in an empty array',
    expression: { $last: '$a' },
    document: { a: [], b: 1 },
    result: undefined,
    wholeInEngine: true,
  },
  {
    name: 'replaced where there is none',
    expression: { $ifNull: [{ $last: '$a' }, 'none'] },
    document: { a: ['x'] },
    result: 'x',
    wholeInEngine: true,
  },
  { name: 'is null for null', expression: { $last: '$a' }, document: { a: null, b: 1 }, result: null },
  { name: 'is null for a missing field', expression: { $last: '$nothing' }, document: { a: 1 }, result: null },
  {
    name: 'refuses what is no array',
    expression: { $last: '$a' },
    document: { a: 'secret' },
    error: /\$last takes .*array.*, not string$/,
  },
  {
    name: 'refuses it among arrays of an open field',
    documents: [{ a: [1] }, { a: 'secret' }],
    pipeline: [{ $project: { _id: 0, value: { $last: '$a' } } }],
    error: /not string$/,
  },
]
