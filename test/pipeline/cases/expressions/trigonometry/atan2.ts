import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'is the angle of a point',
    expression: { $atan2: ['$y', '$x'] },
    document: { y: 1, x: -1 },
    result: 2.356194490192345,
    wholeInEngine: true,
  },
  {
    name: 'is null for null',
    expression: { $atan2: ['$a', 1] },
    document: { a: null },
    result: null,
    wholeInEngine: true,
  },
  { name: 'is null for a missing field', expression: { $atan2: ['$nothing', 1] }, document: { a: 1 }, result: null },
  {
    name: 'refuses a string, whose value it does not tell',
    expression: { $atan2: ['$a', 1] },
    document: { a: 'secret' },
    error: '$atan2 takes',
  },
  {
    name: 'refuses a string among numbers of an open field',
    documents: [{ a: 1 }, { a: 'secret' }],
    pipeline: [{ $project: { _id: 0, value: { $atan2: ['$a', 1] } } }],
    error: /not string$/,
  },
]
