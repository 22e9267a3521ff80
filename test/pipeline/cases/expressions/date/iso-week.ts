import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'the week of January 4th is week 1',
    expression: { $isoWeek: '$a' },
    document: { a: { $date: '2026-01-04T00:00:00.000Z' } },
    result: 1,
    wholeInEngine: true,
  },
  {
    name: 'January 1st may be in week 53',
    expression: { $isoWeek: '$a' },
    document: { a: { $date: '2027-01-01T00:00:00.000Z' } },
    result: 53,
    wholeInEngine: true,
  },
  {
    name: 'December 31st may be in week 1',
    expression: { $isoWeek: '$a' },
    document: { a: { $date: '2025-12-31T00:00:00.000Z' } },
    result: 1,
    wholeInEngine: true,
  },
  {
    name: 'is null for null',
    expression: { $isoWeek: '$a' },
    document: { a: null, b: 1 },
    result: null,
    wholeInEngine: true,
  },
  {
    name: 'is null for a missing date',
    documents: [{}, { b: 1 }],
    pipeline: [{ $project: { _id: 0, value: { $isoWeek: '$a' } } }],
    result: [{ value: null }, { value: null }],
    wholeInEngine: true,
  },
  {
    name: 'refuses a string',
    expression: { $isoWeek: '$a' },
    document: { a: '2026-03-01' },
    error: '$isoWeek takes dates, not string',
  },
  {
    name: 'refuses a number of an open field',
    documents: [{ a: 5 }, { a: 'x' }],
    pipeline: [{ $project: { _id: 0, value: { $isoWeek: '$a' } } }],
    error: /\$isoWeek takes dates, not/,
  },
]
