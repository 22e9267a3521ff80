import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'keeps what the second lacks',
    expression: { $setDifference: ['$a', ['b']] },
    document: { a: ['c', 'b', 'a', 'c'] },
    result: ['c', 'a'],
    wholeInEngine: true,
  },
  {
    name: 'removes nothing with an empty one',
    expression: { $setDifference: ['$a', []] },
    document: { a: ['x', 'x'] },
    result: ['x'],
    wholeInEngine: true,
  },
  {
    name: 'is null when one is null',
    expression: { $setDifference: ['$a', null] },
    document: { a: ['x'] },
    result: null,
  },
  {
    name: 'refuses what is no array',
    expression: { $setDifference: ['$a', ['x']] },
    document: { a: 'secret' },
    error: '$setDifference takes arrays, not string',
  },
]
