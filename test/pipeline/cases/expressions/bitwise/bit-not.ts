import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  { name: 'turns every bit', expression: { $bitNot: '$a' }, document: { a: 5 }, result: -6, wholeInEngine: true },
  { name: 'is null for null', expression: { $bitNot: '$a' }, document: { a: null }, result: null },
  { name: 'keeps a long', expression: { $type: { $bitNot: { $literal: { $numberLong: '5' } } } }, result: 'long' },
  {
    name: 'refuses doubles',
    expression: { $bitNot: '$a' },
    document: { a: 1.5 },
    error: '$bitNot takes integers, not double',
  },
]
