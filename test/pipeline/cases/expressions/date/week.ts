import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'the first Sunday begins week 1',
    expression: { $week: '$a' },
    document: { a: { $date: '2026-01-04T00:00:00.000Z' } },
    result: 1,
    wholeInEngine: true,
  },
  {
    name: 'the days before it are week 0',
    expression: { $week: '$a' },
    document: { a: { $date: '2026-01-03T00:00:00.000Z' } },
    result: 0,
    wholeInEngine: true,
  },
  {
    name: 'a year that begins on Sunday has no week 0',
    expression: { $week: '$a' },
    document: { a: { $date: '2023-01-01T00:00:00.000Z' } },
    result: 1,
    wholeInEngine: true,
  },
  {
    name: 'a year ends in week 52',
    expression: { $week: '$a' },
    document: { a: { $date: '2026-12-31T00:00:00.000Z' } },
    result: 52,
    wholeInEngine: true,
  },
  {
    name: 'or in week 53',
    expression: { $week: '$a' },
    document: { a: { $date: '2028-12-31T00:00:00.000Z' } },
    result: 53,
    wholeInEngine: true,
  },
  {
    name: 'is null for null',
    expression: { $week: '$a' },
    document: { a: null, b: 1 },
    result: null,
    wholeInEngine: true,
  },
  {
    name: 'is null for a missing date',
    documents: [{}, { b: 1 }],
    pipeline: [{ $project: { _id: 0, value: { $week: '$a' } } }],
    result: [{ value: null }, { value: null }],
    wholeInEngine: true,
  },
  {
    name: 'refuses a string',
    expression: { $week: '$a' },
    document: { a: '2026-03-01' },
    error: '$week takes dates, not string',
  },
  {
    name: 'refuses a number of an open field',
    documents: [{ a: 5 }, { a: 'x' }],
    pipeline: [{ $project: { _id: 0, value: { $week: '$a' } } }],
    error: /\$week takes dates, not/,
  },
]
