import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'counts boundaries of the year',
    expression: { $dateDiff: { startDate: '$a', endDate: '$b', unit: 'year' } },
    document: { a: { $date: '2025-12-31T23:30:00.000Z' }, b: { $date: '2026-01-01T00:15:00.000Z' } },
    result: 1,
    wholeInEngine: true,
  },
  {
    name: 'counts boundaries of the quarter',
    expression: { $dateDiff: { startDate: '$a', endDate: '$b', unit: 'quarter' } },
    document: { a: { $date: '2025-12-31T23:30:00.000Z' }, b: { $date: '2026-01-01T00:15:00.000Z' } },
    result: 1,
    wholeInEngine: true,
  },
  {
    name: 'counts boundaries of the month',
    expression: { $dateDiff: { startDate: '$a', endDate: '$b', unit: 'month' } },
    document: { a: { $date: '2025-12-31T23:30:00.000Z' }, b: { $date: '2026-01-01T00:15:00.000Z' } },
    result: 1,
    wholeInEngine: true,
  },
  {
    name: 'counts boundaries of the week',
    expression: { $dateDiff: { startDate: '$a', endDate: '$b', unit: 'week' } },
    document: { a: { $date: '2025-12-31T23:30:00.000Z' }, b: { $date: '2026-01-01T00:15:00.000Z' } },
    result: 0,
    wholeInEngine: true,
  },
  {
    name: 'counts boundaries of the day',
    expression: { $dateDiff: { startDate: '$a', endDate: '$b', unit: 'day' } },
    document: { a: { $date: '2025-12-31T23:30:00.000Z' }, b: { $date: '2026-01-01T00:15:00.000Z' } },
    result: 1,
    wholeInEngine: true,
  },
  {
    name: 'counts boundaries of the hour',
    expression: { $dateDiff: { startDate: '$a', endDate: '$b', unit: 'hour' } },
    document: { a: { $date: '2025-12-31T23:30:00.000Z' }, b: { $date: '2026-01-01T00:15:00.000Z' } },
    result: 1,
    wholeInEngine: true,
  },
  {
    name: 'counts boundaries of the minute',
    expression: { $dateDiff: { startDate: '$a', endDate: '$b', unit: 'minute' } },
    document: { a: { $date: '2025-12-31T23:30:00.000Z' }, b: { $date: '2026-01-01T00:15:00.000Z' } },
    result: 45,
    wholeInEngine: true,
  },
  {
    name: 'counts boundaries of the second',
    expression: { $dateDiff: { startDate: '$a', endDate: '$b', unit: 'second' } },
    document: { a: { $date: '2025-12-31T23:30:00.000Z' }, b: { $date: '2026-01-01T00:15:00.000Z' } },
    result: 2700,
    wholeInEngine: true,
  },
  {
    name: 'counts boundaries of the millisecond',
    expression: { $dateDiff: { startDate: '$a', endDate: '$b', unit: 'millisecond' } },
    document: { a: { $date: '2025-12-31T23:30:00.000Z' }, b: { $date: '2026-01-01T00:15:00.000Z' } },
    result: 2700000,
    wholeInEngine: true,
  },
  {
    name: 'counts back',
    expression: { $dateDiff: { startDate: '$b', endDate: '$a', unit: 'day' } },
    document: { a: { $date: '2025-12-31T23:30:00.000Z' }, b: { $date: '2026-01-01T00:15:00.000Z' } },
    result: -1,
    wholeInEngine: true,
  },
  {
    name: 'begins weeks on Sunday',
    expression: { $dateDiff: { startDate: '$a', endDate: '$b', unit: 'week' } },
    document: { a: { $date: '2026-02-28T00:00:00.000Z' }, b: { $date: '2026-03-01T00:00:00.000Z' } },
    result: 1,
    wholeInEngine: true,
  },
  {
    name: 'or on Monday',
    expression: { $dateDiff: { startDate: '$a', endDate: '$b', unit: 'week', startOfWeek: 'monday' } },
    document: { a: { $date: '2026-02-28T00:00:00.000Z' }, b: { $date: '2026-03-01T00:00:00.000Z' } },
    result: 0,
    wholeInEngine: true,
  },
  {
    name: 'counts weeks before 1970',
    expression: { $dateDiff: { startDate: '$a', endDate: '$b', unit: 'week' } },
    document: { a: { $date: '1969-12-27T00:00:00.000Z' }, b: { $date: '1969-12-28T00:00:00.000Z' } },
    result: 1,
    wholeInEngine: true,
  },
  {
    name: 'counts local days',
    expression: { $dateDiff: { startDate: '$a', endDate: '$b', unit: 'day', timezone: 'America/New_York' } },
    document: { a: { $date: '2025-12-31T23:30:00.000Z' }, b: { $date: '2026-01-01T00:15:00.000Z' } },
    result: 0,
    wholeInEngine: true,
  },
  {
    name: 'counts days of 23 hours',
    expression: { $dateDiff: { startDate: '$a', endDate: '$b', unit: 'day', timezone: 'Europe/Berlin' } },
    document: { a: { $date: '2026-03-28T23:00:00.000Z' }, b: { $date: '2026-03-29T22:00:00.000Z' } },
    result: 1,
    wholeInEngine: true,
  },
  {
    name: 'is a long',
    expression: { $type: { $dateDiff: { startDate: '$a', endDate: '$b', unit: 'day' } } },
    document: { a: { $date: '2025-12-31T23:30:00.000Z' }, b: { $date: '2026-01-01T00:15:00.000Z' } },
    result: 'long',
    wholeInEngine: true,
  },
  {
    name: 'is null when one is missing',
    expression: { $dateDiff: { startDate: '$a', endDate: '$nothing', unit: 'day' } },
    document: { a: { $date: '2025-12-31T23:30:00.000Z' }, b: { $date: '2026-01-01T00:15:00.000Z' } },
    result: null,
  },
  {
    name: 'refuses an unknown unit',
    expression: { $dateDiff: { startDate: '$a', endDate: '$b', unit: 'eon' } },
    error: '.$dateDiff.unit: The unit "eon" is not known',
  },
  {
    name: 'fails on a unit of the document that is none',
    expression: { $dateDiff: { startDate: '$a', endDate: '$b', unit: '$u' } },
    document: { u: 'eon', a: { $date: '2025-12-31T23:30:00.000Z' }, b: { $date: '2026-01-01T00:15:00.000Z' } },
    error: '$dateDiff takes the units',
  },
  {
    name: 'is null for null',
    expression: {
      $dateDiff: { startDate: '$a', endDate: { $literal: { $date: '2026-03-07T17:08:09.045Z' } }, unit: 'day' },
    },
    document: { a: null, b: 1 },
    result: null,
    wholeInEngine: true,
  },
  {
    name: 'is null for a missing date',
    documents: [{}, { b: 1 }],
    pipeline: [
      {
        $project: {
          _id: 0,
          value: {
            $dateDiff: { startDate: '$a', endDate: { $literal: { $date: '2026-03-07T17:08:09.045Z' } }, unit: 'day' },
          },
        },
      },
    ],
    result: [{ value: null }, { value: null }],
    wholeInEngine: true,
  },
  {
    name: 'refuses a string',
    expression: {
      $dateDiff: { startDate: '$a', endDate: { $literal: { $date: '2026-03-07T17:08:09.045Z' } }, unit: 'day' },
    },
    document: { a: '2026-03-01' },
    error: '$dateDiff takes dates, not string',
  },
  {
    name: 'refuses a number of an open field',
    documents: [{ a: 5 }, { a: 'x' }],
    pipeline: [
      {
        $project: {
          _id: 0,
          value: {
            $dateDiff: { startDate: '$a', endDate: { $literal: { $date: '2026-03-07T17:08:09.045Z' } }, unit: 'day' },
          },
        },
      },
    ],
    error: /\$dateDiff takes dates, not/,
  },
]
