import type { Case } from '../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'the document before, and the one after',
    documents: [
      { i: 1, a: 'x' },
      { i: 2, a: 'y' },
    ],
    pipeline: [
      {
        $setWindowFields: {
          sortBy: { i: 1 },
          output: {
            before: { $shift: { output: '$a', by: -1 } },
            after: { $shift: { output: '$a', by: 1, default: 'none' } },
          },
        },
      },
    ],
    result: [
      { i: 1, a: 'x', before: null, after: 'y' },
      { i: 2, a: 'y', before: 'x', after: 'none' },
    ],
    wholeInEngine: true,
  },
  {
    name: 'a change from week to week',
    documents: [
      { week: 1, n: 10 },
      { week: 2, n: 14 },
      { week: 3, n: 9 },
    ],
    pipeline: [
      { $setWindowFields: { sortBy: { week: 1 }, output: { last: { $shift: { output: '$n', by: -1 } } } } },
      { $project: { _id: 0, week: 1, change: { $subtract: ['$n', '$last'] } } },
    ],
    result: [
      { week: 1, change: null },
      { week: 2, change: 4 },
      { week: 3, change: -5 },
    ],
    wholeInEngine: true,
  },
  {
    name: 'needs by',
    pipeline: [{ $setWindowFields: { sortBy: { i: 1 }, output: { r: { $shift: { output: '$a' } } } } }],
    error: 'is a whole number',
  },
  {
    name: 'the default is a constant',
    pipeline: [
      { $setWindowFields: { sortBy: { i: 1 }, output: { r: { $shift: { output: '$a', by: 1, default: '$b' } } } } },
    ],
    error: 'is a constant',
  },
  {
    name: 'a default of years that a text has no place for',
    calls: [{ created_dt: '2026-03-01T00:00:00Z' }],
    pipeline: [
      {
        $setWindowFields: {
          sortBy: { created_dt: 1 },
          output: {
            at: { $shift: { output: '$created_dt', by: 1, default: { $date: { $numberLong: '253402300800000' } } } },
          },
        },
      },
      { $project: { _id: 0, text: { $dateToString: { date: '$at', format: '%Y' } } } },
    ],
    error: 'takes dates of the years 0 to 9999',
  },
  {
    name: 'an empty array as the default',
    documents: [
      { i: 1, a: [1] },
      { i: 2, a: [2] },
    ],
    pipeline: [
      { $setWindowFields: { sortBy: { i: 1 }, output: { b: { $shift: { output: '$a', by: -1, default: [] } } } } },
      { $project: { _id: 0, b: 1 } },
    ],
    result: [{ b: [] }, { b: [1] }],
  },
]
