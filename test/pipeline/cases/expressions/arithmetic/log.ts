import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'is the logarithm to a base',
    expression: { $log: ['$a', 2] },
    document: { a: 8 },
    result: 3,
    wholeInEngine: true,
  },
  { name: 'refuses 0', expression: { $log: ['$a', 2] }, document: { a: 0 }, error: '$log takes numbers above 0' },
  {
    name: 'refuses base 1',
    expression: { $log: ['$a', '$b'] },
    document: { a: 5, b: 1 },
    error: '$log takes a base above 0 other than 1',
  },
  {
    name: 'refuses base 0',
    expression: { $log: ['$a', '$b'] },
    document: { a: 5, b: 0 },
    error: '$log takes a base above 0 other than 1',
  },
  {
    name: 'is null for null',
    expression: { $log: ['$a', 2] },
    document: { a: null },
    result: null,
    wholeInEngine: true,
  },
  { name: 'is null for a missing field', expression: { $log: ['$nothing', 2] }, document: { a: 1 }, result: null },
  {
    name: 'refuses a string, whose value it does not tell',
    expression: { $log: ['$a', 2] },
    document: { a: 'secret' },
    error: '$log takes',
  },
  {
    name: 'refuses a string among numbers of an open field',
    documents: [{ a: 1 }, { a: 'secret' }],
    pipeline: [{ $project: { _id: 0, value: { $log: ['$a', 2] } } }],
    error: /not string$/,
  },
]
