import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'reads a string',
    expression: { $toDate: '$a' },
    document: { a: '2026-03-07T17:08:09.045Z' },
    result: { $date: '2026-03-07T17:08:09.045Z' },
  },
  {
    name: 'reads a double as milliseconds',
    expression: { $toDate: '$a' },
    document: { a: { $numberDouble: '1000' } },
    result: { $date: '1970-01-01T00:00:01.000Z' },
  },
  {
    name: 'reads a long',
    expression: { $toDate: { $literal: { $numberLong: '1000' } } },
    result: { $date: '1970-01-01T00:00:01.000Z' },
  },
  {
    name: 'keeps a date',
    expression: { $toDate: '$a' },
    document: { a: { $date: '2026-03-07T17:08:09.045Z' } },
    result: { $date: '2026-03-07T17:08:09.045Z' },
    wholeInEngine: true,
  },
  {
    name: 'reads no date',
    documents: [{ a: { $date: '2026-03-07T17:08:09.045Z' } }, {}],
    pipeline: [{ $project: { _id: 0, value: { $toDate: '$a' } } }],
    result: [{ value: { $date: '2026-03-07T17:08:09.045Z' } }, { value: null }],
    wholeInEngine: true,
  },
  {
    name: 'refuses an int',
    expression: { $toDate: '$a' },
    document: { a: 1000 },
    error: '$toDate can not convert int to date',
  },
  {
    name: 'refuses words',
    expression: { $toDate: '$a' },
    document: { a: 'soon' },
    error: '$toDate can not read this string as a date',
  },
  {
    name: 'refuses a date beyond time',
    expression: { $toDate: '$a' },
    document: { a: 1e300 },
    error: '$toDate can not hold this double in a date',
  },
  { name: 'is null for null', expression: { $toDate: null }, result: null },
]
