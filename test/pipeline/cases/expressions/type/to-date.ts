import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'reads a column of texts',
    documents: [{ a: '2026-03-07 17:08+01:00' }, { a: '2026-03-07' }, {}],
    pipeline: [{ $project: { value: { $toDate: '$a' } } }],
    result: [
      { value: { $date: '2026-03-07T16:08:00.000Z' } },
      { value: { $date: '2026-03-07T00:00:00.000Z' } },
      { value: null },
    ],
    wholeInEngine: true,
  },
  {
    name: 'reads texts and numbers of metadata',
    calls: [
      { session_metadata: { at: '2026-03-07' } },
      { session_metadata: { at: 1_772_323_200_000 } },
      { session_metadata: { at: -0.5 } },
      { session_metadata: { at: null } },
      {},
    ],
    pipeline: [{ $project: { at: { $toDate: '$session_metadata.at' } } }],
    result: [
      { _id: 'c0', at: { $date: '2026-03-07T00:00:00.000Z' } },
      { _id: 'c1', at: { $date: '2026-03-01T00:00:00.000Z' } },
      { _id: 'c2', at: { $date: '1970-01-01T00:00:00.000Z' } },
      { _id: 'c3', at: null },
      { _id: 'c4', at: null },
    ],
    wholeInEngine: true,
  },
  ...[5, true, { b: 1 }, [1], 'soon', 1e300].map((value): Case => ({
    name: `fails on ${JSON.stringify(value)} of metadata`,
    calls: [{ session_metadata: { at: '2026-03-07' } }, { session_metadata: { at: value } }],
    pipeline: [{ $project: { at: { $toDate: '$session_metadata.at' } } }],
    error:
      /\$toDate can not (?:convert (?:int|bool|object|array) to date|read this string as a date|hold this double in a date)/,
  })),
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
