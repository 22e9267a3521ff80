import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  { name: 'combines bits', expression: { $bitXor: ['$a', 3] }, document: { a: 6 }, result: 5, wholeInEngine: true },
  {
    name: 'works below zero',
    expression: { $bitXor: ['$a', 3] },
    document: { a: -1 },
    result: -4,
    wholeInEngine: true,
  },
  {
    name: 'makes a long beside a long',
    expression: { $type: { $bitXor: ['$a', { $literal: { $numberLong: '3' } }] } },
    document: { a: 6 },
    result: 'long',
  },
  {
    name: 'is null for null',
    expression: { $bitXor: ['$a', null] },
    document: { a: 6 },
    result: null,
    wholeInEngine: true,
  },
  {
    name: 'refuses doubles',
    expression: { $bitXor: ['$a', 1] },
    document: { a: 1.5 },
    error: '$bitXor takes integers, not double',
  },
  {
    name: 'refuses strings',
    expression: { $bitXor: ['$a', 1] },
    document: { a: 'x' },
    error: '$bitXor takes integers, not string',
  },
]
