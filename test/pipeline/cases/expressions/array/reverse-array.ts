import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'turns an array round',
    expression: { $reverseArray: '$a' },
    document: { a: ['x', 'y'] },
    result: ['y', 'x'],
    wholeInEngine: true,
  },
  { name: 'is null for null', expression: { $reverseArray: '$a' }, document: { a: null, b: 1 }, result: null },
  { name: 'is null for a missing field', expression: { $reverseArray: '$nothing' }, document: { a: 1 }, result: null },
  {
    name: 'refuses what is no array',
    expression: { $reverseArray: '$a' },
    document: { a: 'secret' },
    error: /\$reverseArray takes .*array.*, not string$/,
  },
  {
    name: 'refuses it among arrays of an open field',
    documents: [{ a: [1] }, { a: 'secret' }],
    pipeline: [{ $project: { _id: 0, value: { $reverseArray: '$a' } } }],
    error: /not string$/,
  },
]
