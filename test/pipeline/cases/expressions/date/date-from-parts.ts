import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'makes a date',
    expression: { $dateFromParts: { year: '$y', month: '$m', day: 7 } },
    document: { y: 2026, m: 3 },
    result: { $date: '2026-03-07T00:00:00.000Z' },
    wholeInEngine: true,
  },
  {
    name: 'begins at the start of what is not given',
    expression: { $dateFromParts: { year: '$y' } },
    document: { y: 2026 },
    result: { $date: '2026-01-01T00:00:00.000Z' },
    wholeInEngine: true,
  },
  {
    name: 'carries months',
    expression: { $dateFromParts: { year: '$y', month: 14 } },
    document: { y: 2026 },
    result: { $date: '2027-02-01T00:00:00.000Z' },
    wholeInEngine: true,
  },
  {
    name: 'carries days below 1',
    expression: { $dateFromParts: { year: '$y', month: 3, day: 0 } },
    document: { y: 2026 },
    result: { $date: '2026-02-28T00:00:00.000Z' },
    wholeInEngine: true,
  },
  {
    name: 'carries hours',
    expression: { $dateFromParts: { year: '$y', hour: 25, minute: 61, second: 61, millisecond: 1001 } },
    document: { y: 2026 },
    result: { $date: '2026-01-02T02:02:02.001Z' },
    wholeInEngine: true,
  },
  {
    name: 'reads local time',
    expression: { $dateFromParts: { year: '$y', month: 7, timezone: 'Europe/Berlin' } },
    document: { y: 2026 },
    result: { $date: '2026-06-30T22:00:00.000Z' },
    wholeInEngine: true,
  },
  {
    name: 'reads ISO weeks',
    expression: { $dateFromParts: { isoWeekYear: 2026, isoWeek: 1, isoDayOfWeek: 1 } },
    result: { $date: '2025-12-29T00:00:00.000Z' },
  },
  {
    name: 'takes whole doubles',
    expression: { $dateFromParts: { year: '$y' } },
    document: { y: 2026 },
    result: { $date: '2026-01-01T00:00:00.000Z' },
    wholeInEngine: true,
  },
  {
    name: 'is null when a part is missing',
    documents: [{ y: 2026, m: 2 }, { y: 2026 }],
    pipeline: [{ $project: { _id: 0, value: { $dateFromParts: { year: '$y', month: '$m' } } } }],
    result: [{ value: { $date: '2026-02-01T00:00:00.000Z' } }, { value: null }],
    wholeInEngine: true,
  },
  {
    name: 'refuses the year 0',
    expression: { $dateFromParts: { year: '$y' } },
    document: { y: 0 },
    error: '$dateFromParts takes a year from 1 to 9999',
  },
  {
    name: 'refuses the year 10000',
    expression: { $dateFromParts: { year: '$y' } },
    document: { y: 10000 },
    error: '$dateFromParts takes a year from 1 to 9999',
  },
  {
    name: 'refuses parts beyond 16 bits',
    expression: { $dateFromParts: { year: 2026, month: '$m' } },
    document: { m: 40000 },
    error: '$dateFromParts takes whole numbers from -32768',
  },
  {
    name: 'refuses fractions',
    expression: { $dateFromParts: { year: 2026, month: 1.5 } },
    error: '$dateFromParts takes whole numbers',
  },
  {
    name: 'refuses to mix ways',
    expression: { $dateFromParts: { year: 2026, isoWeek: 1 } },
    error: 'takes either year, month and day or isoWeekYear',
  },
  {
    name: 'needs a year',
    expression: { $dateFromParts: { month: 1 } },
    error: '$dateFromParts needs the argument year',
  },
  {
    name: 'refuses a bad zone',
    expression: { $dateFromParts: { year: 2026, timezone: 'x/y' } },
    error: 'neither an Olson name nor an offset',
  },
]
