import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'does not mind order and repeats',
    expression: { $setEquals: ['$a', ['x', 'y']] },
    document: { a: ['y', 'x', 'x'] },
    result: true,
    wholeInEngine: true,
  },
  {
    name: 'tells different sets',
    expression: { $setEquals: ['$a', ['x']] },
    document: { a: ['y'] },
    result: false,
    wholeInEngine: true,
  },
  {
    name: 'refuses null',
    expression: { $setEquals: ['$a', ['x']] },
    document: { a: null, b: 1 },
    error: '$setEquals takes arrays, not null',
  },
  {
    name: 'refuses what is no array',
    expression: { $setEquals: ['$a', ['x']] },
    document: { a: 'secret' },
    error: '$setEquals takes arrays, not string',
  },
]
