import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'converts',
    expression: { $radiansToDegrees: '$a' },
    document: { a: 3.141592653589793 },
    result: 180,
    wholeInEngine: true,
  },
  {
    name: 'is null for null',
    expression: { $radiansToDegrees: '$a' },
    document: { a: null },
    result: null,
    wholeInEngine: true,
  },
  {
    name: 'is null for a missing field',
    expression: { $radiansToDegrees: '$nothing' },
    document: { a: 1 },
    result: null,
  },
  {
    name: 'refuses a string, whose value it does not tell',
    expression: { $radiansToDegrees: '$a' },
    document: { a: 'secret' },
    error: '$radiansToDegrees takes',
  },
  {
    name: 'refuses a string among numbers of an open field',
    documents: [{ a: 1 }, { a: 'secret' }],
    pipeline: [{ $project: { _id: 0, value: { $radiansToDegrees: '$a' } } }],
    error: /not string$/,
  },
]
