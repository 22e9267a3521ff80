import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'lists the parts',
    expression: { $dateToParts: { date: '$a' } },
    document: { a: { $date: '2026-03-07T17:08:09.045Z' } },
    result: { year: 2026, month: 3, day: 7, hour: 17, minute: 8, second: 9, millisecond: 45 },
    wholeInEngine: true,
  },
  {
    name: 'lists those of the ISO week',
    expression: { $dateToParts: { date: '$a', iso8601: true } },
    document: { a: { $date: '2027-01-01T00:00:00.000Z' } },
    result: { isoWeekYear: 2026, isoWeek: 53, isoDayOfWeek: 5, hour: 0, minute: 0, second: 0, millisecond: 0 },
    wholeInEngine: true,
  },
  {
    name: 'lists local ones',
    expression: { $dateToParts: { date: '$a', timezone: '+01:00' } },
    document: { a: { $date: '2026-12-31T23:00:00.000Z' } },
    result: { year: 2027, month: 1, day: 1, hour: 0, minute: 0, second: 0, millisecond: 0 },
    wholeInEngine: true,
  },
  {
    name: 'refuses iso8601 that is no boolean',
    expression: { $dateToParts: { date: '$a', iso8601: 1 } },
    document: { a: { $date: '2026-03-07T17:08:09.045Z' } },
    error: '$dateToParts takes true or false as iso8601',
  },
  {
    name: 'is null for null',
    expression: { $dateToParts: { date: '$a' } },
    document: { a: null, b: 1 },
    result: null,
    wholeInEngine: true,
  },
  {
    name: 'is null for a missing date',
    documents: [{}, { b: 1 }],
    pipeline: [{ $project: { _id: 0, value: { $dateToParts: { date: '$a' } } } }],
    result: [{ value: null }, { value: null }],
    wholeInEngine: true,
  },
  {
    name: 'refuses a string',
    expression: { $dateToParts: { date: '$a' } },
    document: { a: '2026-03-01' },
    error: '$dateToParts takes dates, not string',
  },
  {
    name: 'refuses a number of an open field',
    documents: [{ a: 5 }, { a: 'x' }],
    pipeline: [{ $project: { _id: 0, value: { $dateToParts: { date: '$a' } } } }],
    error: /\$dateToParts takes dates, not/,
  },
]
