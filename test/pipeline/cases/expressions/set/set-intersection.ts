import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'keeps what all have',
    expression: { $setIntersection: ['$a', ['b', 'c']] },
    document: { a: ['c', 'a', 'c', 'b'] },
    result: ['b', 'c'],
    wholeInEngine: true,
  },
  {
    name: 'may be empty',
    expression: { $setIntersection: ['$a', ['z']] },
    document: { a: ['x'] },
    result: [],
    wholeInEngine: true,
  },
  {
    name: 'is null when one is null',
    expression: { $setIntersection: ['$a', null] },
    document: { a: ['x'] },
    result: null,
  },
  {
    name: 'refuses what is no array',
    expression: { $setIntersection: ['$a', ['x']] },
    document: { a: 'secret' },
    error: '$setIntersection takes arrays, not string',
  },
]
