import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'finds by characters',
    expression: { $indexOfCP: ['$a', 'e'] },
    document: { a: 'é👍e' },
    result: 2,
    wholeInEngine: true,
  },
  {
    name: 'is -1 without one',
    expression: { $indexOfCP: ['$a', 'z'] },
    document: { a: 'abc' },
    result: -1,
    wholeInEngine: true,
  },
  {
    name: 'finds the empty string at once',
    expression: { $indexOfCP: ['$a', ''] },
    document: { a: 'abc' },
    result: 0,
    wholeInEngine: true,
  },
  { name: 'begins at a place', expression: { $indexOfCP: ['$a', 'a', 1] }, document: { a: 'aba' }, result: 2 },
  { name: 'ends before a place', expression: { $indexOfCP: ['$a', 'a', 1, 2] }, document: { a: 'aba' }, result: -1 },
  { name: 'is -1 behind the end', expression: { $indexOfCP: ['$a', '', 9] }, document: { a: 'ab' }, result: -1 },
  {
    name: 'is null for null',
    expression: { $indexOfCP: ['$a', 'x'] },
    document: { a: null, b: 1 },
    result: null,
    wholeInEngine: true,
  },
  {
    name: 'refuses a number',
    expression: { $indexOfCP: ['$a', 'x'] },
    document: { a: 5 },
    error: '$indexOfCP takes strings, not int',
  },
  {
    name: 'refuses to look for null',
    expression: { $indexOfCP: ['$a', '$b'] },
    document: { a: 'x', b: null },
    error: '$indexOfCP takes strings, not null',
  },
]
