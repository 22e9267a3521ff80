import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'reads UTC',
    expression: { $minute: '$a' },
    document: { a: { $date: '2026-03-07T17:08:09.045Z' } },
    result: 8,
    wholeInEngine: true,
  },
  {
    name: 'reads dates before 1970',
    expression: { $minute: '$a' },
    document: { a: { $date: '1969-12-31T23:59:59.999Z' } },
    result: 59,
    wholeInEngine: true,
  },
  {
    name: 'reads local time of a zone',
    expression: { $minute: { date: '$a', timezone: 'America/New_York' } },
    document: { a: { $date: '2025-12-31T23:30:00.000Z' } },
    result: 30,
    wholeInEngine: true,
  },
  {
    name: 'reads local time by an offset',
    expression: { $minute: { date: '$a', timezone: '-05:00' } },
    document: { a: { $date: '2025-12-31T23:30:00.000Z' } },
    result: 30,
    wholeInEngine: true,
  },
  {
    name: 'is an int',
    expression: { $type: { $minute: '$a' } },
    document: { a: { $date: '2026-03-07T17:08:09.045Z' } },
    result: 'int',
    wholeInEngine: true,
  },
  {
    name: 'is null for a null zone',
    expression: { $minute: { date: '$a', timezone: null } },
    document: { a: { $date: '2026-03-07T17:08:09.045Z' } },
    result: null,
  },
  {
    name: 'refuses a zone that does not exist',
    expression: { $minute: { date: '$a', timezone: 'Mars/Olympus' } },
    document: { a: { $date: '2026-03-07T17:08:09.045Z' } },
    error: '$minute got a time zone that is neither an Olson name nor an offset',
  },
  {
    name: 'refuses an unknown argument',
    expression: { $minute: { date: '$a', timeZone: 'UTC' } },
    document: { a: { $date: '2026-03-07T17:08:09.045Z' } },
    error: /The argument of \$minute "timeZone" is not known. Did you mean timezone/,
  },
  {
    name: 'is null for null',
    expression: { $minute: '$a' },
    document: { a: null, b: 1 },
    result: null,
    wholeInEngine: true,
  },
  {
    name: 'is null for a missing date',
    documents: [{}, { b: 1 }],
    pipeline: [{ $project: { _id: 0, value: { $minute: '$a' } } }],
    result: [{ value: null }, { value: null }],
    wholeInEngine: true,
  },
  {
    name: 'refuses a string',
    expression: { $minute: '$a' },
    document: { a: '2026-03-01' },
    error: '$minute takes dates, not string',
  },
  {
    name: 'refuses a number of an open field',
    documents: [{ a: 5 }, { a: 'x' }],
    pipeline: [{ $project: { _id: 0, value: { $minute: '$a' } } }],
    error: /\$minute takes dates, not/,
  },
]
