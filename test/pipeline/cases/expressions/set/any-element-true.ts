import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'is true when one is',
    expression: { $anyElementTrue: ['$a'] },
    document: { a: [0, 2] },
    result: true,
    wholeInEngine: true,
  },
  {
    name: 'is false when none is',
    expression: { $anyElementTrue: ['$a'] },
    document: { a: [0, 0] },
    result: false,
    wholeInEngine: true,
  },
  { name: 'is false of none', expression: { $anyElementTrue: [[]] }, result: false },
  {
    name: 'refuses what is no array',
    expression: { $anyElementTrue: ['$a'] },
    document: { a: 5 },
    error: '$anyElementTrue takes an array, not int',
  },
]
