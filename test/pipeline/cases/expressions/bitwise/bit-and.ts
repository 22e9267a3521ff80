import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  { name: 'combines bits', expression: { $bitAnd: ['$a', 3] }, document: { a: 6 }, result: 2, wholeInEngine: true },
  { name: 'works below zero', expression: { $bitAnd: ['$a', 3] }, document: { a: -1 }, result: 3, wholeInEngine: true },
  {
    name: 'makes a long beside a long',
    expression: { $type: { $bitAnd: ['$a', { $literal: { $numberLong: '3' } }] } },
    document: { a: 6 },
    result: 'long',
  },
  {
    name: 'is null for null',
    expression: { $bitAnd: ['$a', null] },
    document: { a: 6 },
    result: null,
    wholeInEngine: true,
  },
  {
    name: 'refuses doubles',
    expression: { $bitAnd: ['$a', 1] },
    document: { a: 1.5 },
    error: '$bitAnd takes integers, not double',
  },
  {
    name: 'refuses strings',
    expression: { $bitAnd: ['$a', 1] },
    document: { a: 'x' },
    error: '$bitAnd takes integers, not string',
  },
]
