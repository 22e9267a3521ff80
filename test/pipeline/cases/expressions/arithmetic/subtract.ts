import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'subtracts',
    expression: { $subtract: ['$a', '$b'] },
    document: { a: 5, b: 2 },
    result: 3,
    wholeInEngine: true,
  },
  {
    name: 'gives the milliseconds between two dates',
    expression: { $subtract: ['$a', '$b'] },
    document: { a: { $date: '2026-03-02T00:00:00.000Z' }, b: { $date: '2026-03-01T00:00:00.000Z' } },
    result: 86400000,
    wholeInEngine: true,
  },
  {
    name: 'gives them as a long',
    expression: { $type: { $subtract: ['$a', '$b'] } },
    document: { a: { $date: '2026-03-01T00:00:00.000Z' }, b: { $date: '2026-03-01T00:00:00.000Z' } },
    result: 'long',
    wholeInEngine: true,
  },
  {
    name: 'moves a date back',
    expression: { $subtract: ['$a', 1000] },
    document: { a: { $date: '2026-03-01T00:00:00.000Z' } },
    result: { $date: '2026-02-28T23:59:59.000Z' },
    wholeInEngine: true,
  },
  {
    name: 'goes before 1970',
    expression: { $subtract: [{ $literal: { $date: '1969-12-31T00:00:00.000Z' } }, '$a'] },
    document: { a: { $date: '1970-01-01T00:00:00.000Z' } },
    result: -86400000,
    wholeInEngine: true,
  },
  {
    name: 'refuses a date from a number',
    expression: { $subtract: [5, '$a'] },
    document: { a: { $date: '2026-03-01T00:00:00.000Z' } },
    error: '$subtract can not combine',
  },
  {
    name: 'is null for a null beside anything',
    expression: { $subtract: ['$a', '$b'] },
    document: { a: 'x', b: null },
    result: null,
    wholeInEngine: true,
  },
  { name: 'takes exactly two operands', expression: { $subtract: [1] }, error: '$subtract takes 2 operands, not 1' },
  {
    name: 'refuses a string, whose value it does not tell',
    expression: { $subtract: ['$a', 1] },
    document: { a: 'secret' },
    error: '$subtract takes',
  },
  {
    name: 'refuses a string among numbers of an open field',
    documents: [{ a: 1 }, { a: 'secret' }],
    pipeline: [{ $project: { _id: 0, value: { $subtract: ['$a', 1] } } }],
    error: /not string$/,
  },
]
