import type { Case } from '../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'full: from the least to the greatest',
    documents: [
      { a: 4, x: 1 },
      { a: 1, x: 2 },
    ],
    pipeline: [{ $densify: { field: 'a', range: { step: 1, bounds: 'full' } } }],
    result: [{ a: 1, x: 2 }, { a: 2 }, { a: 3 }, { a: 4, x: 1 }],
  },
  {
    name: 'values off the grid stay, the grid goes on',
    documents: [{ a: 0 }, { a: 3 }, { a: 5 }],
    pipeline: [{ $densify: { field: 'a', range: { step: 2, bounds: 'full' } } }],
    result: [{ a: 0 }, { a: 2 }, { a: 3 }, { a: 4 }, { a: 5 }],
  },
  {
    name: 'full with partitions fills each to the greatest of all',
    documents: [
      { p: 'x', a: 1 },
      { p: 'x', a: 2 },
      { p: 'y', a: 3 },
    ],
    pipeline: [{ $densify: { field: 'a', partitionByFields: ['p'], range: { step: 1, bounds: 'full' } } }],
    result: [
      { p: 'x', a: 1 },
      { p: 'x', a: 2 },
      { p: 'x', a: 3 },
      { p: 'y', a: 1 },
      { p: 'y', a: 2 },
      { p: 'y', a: 3 },
    ],
  },
  {
    name: 'partition: each within its own',
    documents: [
      { p: 'x', a: 1 },
      { p: 'x', a: 3 },
      { p: 'y', a: 7 },
    ],
    pipeline: [{ $densify: { field: 'a', partitionByFields: ['p'], range: { step: 1, bounds: 'partition' } } }],
    result: [
      { p: 'x', a: 1 },
      { p: 'x', a: 2 },
      { p: 'x', a: 3 },
      { p: 'y', a: 7 },
    ],
  },
  {
    name: 'bounds: the low one included, the high one not',
    documents: [{ a: 2 }, { a: 9 }],
    pipeline: [{ $densify: { field: 'a', range: { step: 1, bounds: [1, 4] } } }],
    result: [{ a: 1 }, { a: 2 }, { a: 3 }, { a: 9 }],
  },
  {
    name: 'bounds fill even nothing',
    documents: [{ a: 1 }],
    pipeline: [{ $match: { a: 0 } }, { $densify: { field: 'a', range: { step: 1, bounds: [0, 2] } } }],
    result: [{ a: 0 }, { a: 1 }],
  },
  {
    name: 'dates by a unit',
    documents: [
      { d: { $date: '2026-01-31T00:00:00Z' }, n: 1 },
      { d: { $date: '2026-03-01T00:00:00Z' }, n: 2 },
    ],
    pipeline: [{ $densify: { field: 'd', range: { step: 1, unit: 'month', bounds: 'full' } } }],
    result: [
      { d: { $date: '2026-01-31T00:00:00.000Z' }, n: 1 },
      { d: { $date: '2026-02-28T00:00:00.000Z' } },
      { d: { $date: '2026-03-01T00:00:00.000Z' }, n: 2 },
    ],
  },
  {
    name: 'documents without the field pass through',
    documents: [{ b: 1 }, { a: 1 }, { a: null }, { a: 2 }],
    pipeline: [{ $densify: { field: 'a', range: { step: 1, bounds: 'full' } } }],
    result: [{ b: 1 }, { a: null }, { a: 1 }, { a: 2 }],
  },
  {
    name: 'a text is an error',
    documents: [{ a: 'x' }],
    pipeline: [{ $densify: { field: 'a', range: { step: 1, bounds: 'full' } } }],
    error: '$densify needs numbers',
  },
  {
    name: 'a date without unit is an error',
    documents: [{ a: { $date: '2026-01-01' } }],
    pipeline: [{ $densify: { field: 'a', range: { step: 1, bounds: 'full' } } }],
    error: 'or a unit where it holds dates',
  },
  {
    name: 'a number with a unit is an error',
    documents: [{ a: 1 }],
    pipeline: [{ $densify: { field: 'a', range: { step: 1, unit: 'day', bounds: 'full' } } }],
    error: '$densify with a unit needs dates',
  },
  {
    name: 'too many are refused before one is made',
    documents: [{ a: 0 }],
    pipeline: [{ $densify: { field: 'a', range: { step: 1, bounds: [0, 1_000_000_000] } } }],
    error: '$densify would add more than 100000 documents',
  },
  {
    name: 'milliseconds of a century',
    documents: [{ a: { $date: '2000-01-01' } }, { a: { $date: '2100-01-01' } }],
    pipeline: [{ $densify: { field: 'a', range: { step: 1, unit: 'millisecond', bounds: 'full' } } }],
    error: 'would add more than 100000 documents',
  },
  {
    name: 'a step that moves nothing',
    documents: [{ a: 1 }],
    pipeline: [{ $densify: { field: 'a', range: { step: 1e-300, bounds: [0, 1] } } }],
    error: 'would add more than 100000 documents',
  },
  {
    name: 'a step that is lost beside the values: of one there is nothing to add',
    documents: [{ a: { $numberDouble: '9007199254740992' } }],
    pipeline: [{ $densify: { field: 'a', range: { step: 0.5, bounds: 'full' } } }],
    result: [{ a: { $numberDouble: '9007199254740992' } }],
  },
  {
    name: 'a step that is lost beside the values: from one to the next it never comes',
    documents: [{ a: { $numberDouble: '9007199254740992' } }, { a: { $numberDouble: '9007199254740996' } }],
    pipeline: [{ $densify: { field: 'a', range: { step: 0.5, bounds: 'full' } } }],
    error: 'would add more than 100000 documents',
  },
  {
    name: 'refuses step 0',
    pipeline: [{ $densify: { field: 'a', range: { step: 0, bounds: 'full' } } }],
    error: 'is a number above 0',
  },
  {
    name: 'refuses half days',
    pipeline: [{ $densify: { field: 'a', range: { step: 0.5, unit: 'day', bounds: 'full' } } }],
    error: 'is a whole number above 0',
  },
  {
    name: 'refuses partition without fields',
    pipeline: [{ $densify: { field: 'a', range: { step: 1, bounds: 'partition' } } }],
    error: 'needs partitionByFields',
  },
  {
    name: 'refuses descending bounds',
    pipeline: [{ $densify: { field: 'a', range: { step: 1, bounds: [2, 1] } } }],
    error: 'the first bound lies below',
  },
  {
    name: 'a step that leaves the dates there are',
    documents: [{ at: { $date: '2026-03-05T00:00:00Z' } }],
    pipeline: [
      {
        $densify: {
          field: 'at',
          range: {
            step: 1e12,
            unit: 'day',
            bounds: [{ $date: '2026-03-01T00:00:00Z' }, { $date: '2026-03-09T00:00:00Z' }],
          },
        },
      },
    ],
    result: [{ at: { $date: '2026-03-01T00:00:00.000Z' } }, { at: { $date: '2026-03-05T00:00:00.000Z' } }],
  },
  {
    name: 'up to the last date there is',
    documents: [],
    pipeline: [
      {
        $densify: {
          field: 'at',
          range: {
            step: 1,
            unit: 'month',
            bounds: [{ $date: { $numberLong: '8639999999999999' } }, { $date: { $numberLong: '8640000000000000' } }],
          },
        },
      },
    ],
    result: [{ at: { $date: { $numberLong: '8639999999999999' } } }],
  },
]
