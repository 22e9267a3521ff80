import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'reads UTC',
    expression: { $isoWeekYear: '$a' },
    document: { a: { $date: '2026-03-07T17:08:09.045Z' } },
    result: 2026,
    wholeInEngine: true,
  },
  {
    name: 'reads dates before 1970',
    expression: { $isoWeekYear: '$a' },
    document: { a: { $date: '1969-12-31T23:59:59.999Z' } },
    result: 1970,
    wholeInEngine: true,
  },
  {
    name: 'reads local time of a zone',
    expression: { $isoWeekYear: { date: '$a', timezone: 'America/New_York' } },
    document: { a: { $date: '2025-12-31T23:30:00.000Z' } },
    result: 2026,
    wholeInEngine: true,
  },
  {
    name: 'reads local time by an offset',
    expression: { $isoWeekYear: { date: '$a', timezone: '-05:00' } },
    document: { a: { $date: '2025-12-31T23:30:00.000Z' } },
    result: 2026,
    wholeInEngine: true,
  },
  {
    name: 'is a long',
    expression: { $type: { $isoWeekYear: '$a' } },
    document: { a: { $date: '2026-03-07T17:08:09.045Z' } },
    result: 'long',
    wholeInEngine: true,
  },
  {
    name: 'is null for a null zone',
    expression: { $isoWeekYear: { date: '$a', timezone: null } },
    document: { a: { $date: '2026-03-07T17:08:09.045Z' } },
    result: null,
  },
  {
    name: 'refuses a zone that does not exist',
    expression: { $isoWeekYear: { date: '$a', timezone: 'Mars/Olympus' } },
    document: { a: { $date: '2026-03-07T17:08:09.045Z' } },
    error: '$isoWeekYear got a time zone that is neither an Olson name nor an offset',
  },
  {
    name: 'refuses an unknown argument',
    expression: { $isoWeekYear: { date: '$a', timeZone: 'UTC' } },
    document: { a: { $date: '2026-03-07T17:08:09.045Z' } },
    error: /The argument of \$isoWeekYear "timeZone" is not known. Did you mean timezone/,
  },
  {
    name: 'is null for null',
    expression: { $isoWeekYear: '$a' },
    document: { a: null, b: 1 },
    result: null,
    wholeInEngine: true,
  },
  {
    name: 'is null for a missing date',
    documents: [{}, { b: 1 }],
    pipeline: [{ $project: { _id: 0, value: { $isoWeekYear: '$a' } } }],
    result: [{ value: null }, { value: null }],
    wholeInEngine: true,
  },
  {
    name: 'refuses a string',
    expression: { $isoWeekYear: '$a' },
    document: { a: '2026-03-01' },
    error: '$isoWeekYear takes dates, not string',
  },
  {
    name: 'refuses a number of an open field',
    documents: [{ a: 5 }, { a: 'x' }],
    pipeline: [{ $project: { _id: 0, value: { $isoWeekYear: '$a' } } }],
    error: /\$isoWeekYear takes dates, not/,
  },
]
