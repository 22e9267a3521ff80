import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'cuts by bytes',
    expression: { $substrBytes: ['$a', 0, 7] },
    document: { a: '2026-03-01' },
    result: '2026-03',
  },
  {
    name: 'takes the rest with a negative count',
    expression: { $substrBytes: ['$a', 5, -1] },
    document: { a: '2026-03-01' },
    result: '03-01',
  },
  { name: 'is empty behind the end', expression: { $substrBytes: ['$a', 99, 1] }, document: { a: 'abc' }, result: '' },
  { name: 'is empty for null', expression: { $substrBytes: ['$a', 0, 1] }, document: { a: null }, result: '' },
  {
    name: 'refuses to begin inside a character',
    expression: { $substrBytes: ['$a', 1, 1] },
    document: { a: 'é' },
    error: 'can not begin inside a character',
  },
  {
    name: 'refuses to end inside a character',
    expression: { $substrBytes: ['$a', 0, 1] },
    document: { a: 'é' },
    error: 'can not end inside a character',
  },
  {
    name: 'refuses a negative start',
    expression: { $substrBytes: ['$a', -1, 1] },
    document: { a: 'abc' },
    error: 'takes a start from 0',
  },
]
