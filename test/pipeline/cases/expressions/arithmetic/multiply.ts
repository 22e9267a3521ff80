import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'multiplies ints to an int',
    expression: { $multiply: ['$a', 3] },
    document: { a: 4 },
    result: 12,
    wholeInEngine: true,
  },
  {
    name: 'multiplies with a double',
    expression: { $multiply: ['$a', 1.5] },
    document: { a: 4 },
    result: 6,
    wholeInEngine: true,
  },
  {
    name: 'calls that a double',
    expression: { $type: { $multiply: ['$a', 1.5] } },
    document: { a: 4 },
    result: 'double',
    wholeInEngine: true,
  },
  { name: 'widens to a long', expression: { $multiply: ['$a', '$a'] }, document: { a: 100000 }, result: 10000000000 },
  {
    name: 'multiplies ints beyond 2^53 exactly',
    expression: { $multiply: ['$a', '$a'] },
    document: { a: 2147483647 },
    result: { $numberLong: '4611686014132420609' },
  },
  {
    name: 'widens to a double beyond 64 bits',
    expression: { $multiply: ['$a', '$a', '$a'] },
    document: { a: 2147483647 },
    result: 9.903520300447984e27,
  },
  { name: 'is 1 over no operands', expression: { $multiply: [] }, result: 1 },
  {
    name: 'refuses a date',
    expression: { $multiply: ['$a', 2] },
    document: { a: { $date: '2026-03-01T00:00:00.000Z' } },
    error: '$multiply takes numbers, not date',
  },
  {
    name: 'is null for null',
    expression: { $multiply: ['$a', 2] },
    document: { a: null },
    result: null,
    wholeInEngine: true,
  },
  { name: 'is null for a missing field', expression: { $multiply: ['$nothing', 2] }, document: { a: 1 }, result: null },
  {
    name: 'refuses a string, whose value it does not tell',
    expression: { $multiply: ['$a', 2] },
    document: { a: 'secret' },
    error: '$multiply takes',
  },
  {
    name: 'refuses a string among numbers of an open field',
    documents: [{ a: 1 }, { a: 'secret' }],
    pipeline: [{ $project: { _id: 0, value: { $multiply: ['$a', 2] } } }],
    error: /not string$/,
  },
]
