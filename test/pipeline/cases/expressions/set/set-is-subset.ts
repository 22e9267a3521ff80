import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'knows a part',
    expression: { $setIsSubset: [['x'], '$a'] },
    document: { a: ['x', 'y'] },
    result: true,
    wholeInEngine: true,
  },
  {
    name: 'knows what is none',
    expression: { $setIsSubset: [['z'], '$a'] },
    document: { a: ['x'] },
    result: false,
    wholeInEngine: true,
  },
  {
    name: 'takes the empty set for a part',
    expression: { $setIsSubset: [[], '$a'] },
    document: { a: ['x'] },
    result: true,
    wholeInEngine: true,
  },
  {
    name: 'refuses null',
    expression: { $setIsSubset: ['$a', ['x']] },
    document: { a: null, b: 1 },
    error: '$setIsSubset takes arrays, not null',
  },
  {
    name: 'refuses what is no array',
    expression: { $setIsSubset: ['$a', ['x']] },
    document: { a: 'secret' },
    error: '$setIsSubset takes arrays, not string',
  },
]
