import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'cuts a double',
    expression: { $toLong: '$a' },
    document: { a: 3000000000.5 },
    result: 3000000000,
    wholeInEngine: true,
  },
  {
    name: 'reads a string',
    expression: { $toLong: '$a' },
    document: { a: '9223372036854775807' },
    result: { $numberLong: '9223372036854775807' },
    wholeInEngine: true,
  },
  {
    name: 'is a long',
    expression: { $type: { $toLong: '$a' } },
    document: { a: 5 },
    result: 'long',
    wholeInEngine: true,
  },
  {
    name: 'reads a date',
    expression: { $toLong: '$a' },
    document: { a: { $date: '1970-01-01T00:00:01.000Z' } },
    result: 1000,
  },
  {
    name: 'refuses more than 64 bits',
    expression: { $toLong: '$a' },
    document: { a: '9223372036854775808' },
    error: '$toLong can not read this string as a long',
  },
  {
    name: 'refuses a double too large',
    expression: { $toLong: '$a' },
    document: { a: 10000000000000000000 },
    error: '$toLong can not hold this double in a long',
  },
  {
    name: 'is null for null',
    expression: { $toLong: '$a' },
    document: { a: null, b: 1 },
    result: null,
    wholeInEngine: true,
  },
  { name: 'is null for missing', expression: { $toLong: '$nothing' }, result: null },
]
