import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'takes capital and small letters for one',
    expression: { $strcasecmp: ['$a', 'ABC'] },
    document: { a: 'abc' },
    result: 0,
    wholeInEngine: true,
  },
  { name: 'orders', expression: { $strcasecmp: ['$a', 'b'] }, document: { a: 'A' }, result: -1, wholeInEngine: true },
  {
    name: 'takes null for an empty string',
    expression: { $strcasecmp: ['$a', 'b'] },
    document: { a: null, b: 1 },
    result: -1,
    wholeInEngine: true,
  },
  {
    name: 'refuses an array',
    expression: { $strcasecmp: ['$a', 'b'] },
    document: { a: [1] },
    error: '$strcasecmp takes strings, numbers and dates, not array',
  },
]
