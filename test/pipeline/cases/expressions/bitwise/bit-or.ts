import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  { name: 'combines bits', expression: { $bitOr: ['$a', 3] }, document: { a: 6 }, result: 7, wholeInEngine: true },
  { name: 'works below zero', expression: { $bitOr: ['$a', 3] }, document: { a: -1 }, result: -1, wholeInEngine: true },
  {
    name: 'makes a long beside a long',
    expression: { $type: { $bitOr: ['$a', { $literal: { $numberLong: '3' } }] } },
    document: { a: 6 },
    result: 'long',
  },
  {
    name: 'is null for null',
    expression: { $bitOr: ['$a', null] },
    document: { a: 6 },
    result: null,
    wholeInEngine: true,
  },
  {
    name: 'refuses doubles',
    expression: { $bitOr: ['$a', 1] },
    document: { a: 1.5 },
    error: '$bitOr takes integers, not double',
  },
  {
    name: 'refuses strings',
    expression: { $bitOr: ['$a', 1] },
    document: { a: 'x' },
    error: '$bitOr takes integers, not string',
  },
]
