import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'converts',
    expression: { $degreesToRadians: '$a' },
    document: { a: 180 },
    result: 3.141592653589793,
    wholeInEngine: true,
  },
  {
    name: 'is null for null',
    expression: { $degreesToRadians: '$a' },
    document: { a: null },
    result: null,
    wholeInEngine: true,
  },
  {
    name: 'is null for a missing field',
    expression: { $degreesToRadians: '$nothing' },
    document: { a: 1 },
    result: null,
  },
  {
    name: 'refuses a string, whose value it does not tell',
    expression: { $degreesToRadians: '$a' },
    document: { a: 'secret' },
    error: '$degreesToRadians takes',
  },
  {
    name: 'refuses a string among numbers of an open field',
    documents: [{ a: 1 }, { a: 'secret' }],
    pipeline: [{ $project: { _id: 0, value: { $degreesToRadians: '$a' } } }],
    error: /not string$/,
  },
]
