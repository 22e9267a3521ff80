import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'reads UTC',
    expression: { $year: '$a' },
    document: { a: { $date: '2026-03-07T17:08:09.045Z' } },
    result: 2026,
    wholeInEngine: true,
  },
  {
    name: 'reads dates before 1970',
    expression: { $year: '$a' },
    document: { a: { $date: '1969-12-31T23:59:59.999Z' } },
    result: 1969,
    wholeInEngine: true,
  },
  {
    name: 'reads local time of a zone',
    expression: { $year: { date: '$a', timezone: 'America/New_York' } },
    document: { a: { $date: '2025-12-31T23:30:00.000Z' } },
    result: 2025,
    wholeInEngine: true,
  },
  {
    name: 'reads local time by an offset',
    expression: { $year: { date: '$a', timezone: '-05:00' } },
    document: { a: { $date: '2025-12-31T23:30:00.000Z' } },
    result: 2025,
    wholeInEngine: true,
  },
  {
    name: 'is an int',
    expression: { $type: { $year: '$a' } },
    document: { a: { $date: '2026-03-07T17:08:09.045Z' } },
    result: 'int',
    wholeInEngine: true,
  },
  {
    name: 'is null for a null zone',
    expression: { $year: { date: '$a', timezone: null } },
    document: { a: { $date: '2026-03-07T17:08:09.045Z' } },
    result: null,
  },
  {
    name: 'refuses a zone that does not exist',
    expression: { $year: { date: '$a', timezone: 'Mars/Olympus' } },
    document: { a: { $date: '2026-03-07T17:08:09.045Z' } },
    error: '$year got a time zone that is neither an Olson name nor an offset',
  },
  {
    name: 'refuses an unknown argument',
    expression: { $year: { date: '$a', timeZone: 'UTC' } },
    document: { a: { $date: '2026-03-07T17:08:09.045Z' } },
    error: /The argument of \$year "timeZone" is not known. Did you mean timezone/,
  },
  {
    name: 'is null for null',
    expression: { $year: '$a' },
    document: { a: null, b: 1 },
    result: null,
    wholeInEngine: true,
  },
  {
    name: 'is null for a missing date',
    documents: [{}, { b: 1 }],
    pipeline: [{ $project: { _id: 0, value: { $year: '$a' } } }],
    result: [{ value: null }, { value: null }],
    wholeInEngine: true,
  },
  {
    name: 'refuses a string',
    expression: { $year: '$a' },
    document: { a: '2026-03-01' },
    error: '$year takes dates, not string',
  },
  {
    name: 'refuses a number of an open field',
    documents: [{ a: 5 }, { a: 'x' }],
    pipeline: [{ $project: { _id: 0, value: { $year: '$a' } } }],
    error: /\$year takes dates, not/,
  },
  {
    name: 'refuses a date whose local time lies beyond the dates there are',
    documents: [{}],
    pipeline: [
      { $project: { value: { $year: { date: { $date: { $numberLong: '8640000000000000' } }, timezone: '+14:00' } } } },
    ],
    error: 'The time zone leaves the dates there are',
  },
]
