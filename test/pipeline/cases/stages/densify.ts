import type { Case } from '../../../support/pipeline-cases.js'

/** The documents of MongoDB's manual: coffees of two varieties. */
const coffees = [
  { variety: 'Typica', altitude: 600, score: 68.3 },
  { variety: 'Typica', altitude: 750, score: 69.5 },
  { variety: 'Typica', altitude: 950, score: 70.5 },
  { variety: 'Gesha', altitude: 1250, score: 88.15 },
  { variety: 'Gesha', altitude: 1700, score: 95.5 },
]

const coffee = (variety: string, ...altitudes: readonly number[]) =>
  altitudes.map(altitude => ({
    variety,
    altitude,
    ...coffees.find(one => one.variety === variety && one.altitude === altitude),
  }))

const day = (text: string) => ({ $date: `2026-03-${text}T00:00:00.000Z` })

/** Calls a day, with the days that have none. */
const daily = (range: object, ...more: readonly object[]) => [
  { $group: { _id: { $dateTrunc: { date: '$created_dt', unit: 'day' } }, n: { $sum: 1 } } },
  { $densify: { field: '_id', range } },
  ...more,
]

const threeDays = [
  { created_dt: '2026-03-01T10:00:00Z' },
  { created_dt: '2026-03-04T10:00:00Z' },
  { created_dt: '2026-03-04T11:00:00Z' },
]

export const cases: readonly Case[] = [
  {
    name: 'full by partitions, as in the manual',
    documents: coffees,
    pipeline: [
      { $densify: { field: 'altitude', partitionByFields: ['variety'], range: { bounds: 'full', step: 200 } } },
    ],
    result: [
      ...coffee('Gesha', 600, 800, 1000, 1200, 1250, 1400, 1600, 1700),
      ...coffee('Typica', 600, 750, 800, 950, 1000, 1200, 1400, 1600),
    ],
    wholeInEngine: true,
  },
  {
    name: 'within partitions, as in the manual',
    documents: coffees,
    pipeline: [
      { $densify: { field: 'altitude', partitionByFields: ['variety'], range: { bounds: 'partition', step: 200 } } },
    ],
    result: [...coffee('Gesha', 1250, 1450, 1650, 1700), ...coffee('Typica', 600, 750, 800, 950)],
    wholeInEngine: true,
  },
  {
    name: 'hours between bounds, as in the manual',
    documents: [0, 4, 8, 12].map(hour => ({
      at: { $date: new Date(Date.UTC(2021, 4, 18, hour)).toISOString() },
      t: hour,
    })),
    pipeline: [
      {
        $densify: {
          field: 'at',
          range: {
            step: 1,
            unit: 'hour',
            bounds: [{ $date: '2021-05-18T00:00:00Z' }, { $date: '2021-05-18T08:00:00Z' }],
          },
        },
      },
    ],
    result: [0, 1, 2, 3, 4, 5, 6, 7, 8, 12].map(hour => ({
      at: { $date: new Date(Date.UTC(2021, 4, 18, hour)).toISOString() },
      ...(hour % 4 === 0 ? { t: hour } : {}),
    })),
    wholeInEngine: true,
  },
  {
    name: 'days without calls',
    calls: threeDays,
    pipeline: daily({ step: 1, unit: 'day', bounds: 'full' }),
    result: [{ _id: day('01'), n: 1 }, { _id: day('02') }, { _id: day('03') }, { _id: day('04'), n: 2 }],
    wholeInEngine: true,
  },
  {
    name: 'days without calls, counted 0',
    calls: threeDays,
    pipeline: daily({ step: 2, unit: 'day', bounds: 'full' }, { $fill: { output: { n: { value: 0 } } } }),
    result: [
      { _id: day('01'), n: 1 },
      { _id: day('03'), n: 0 },
      { _id: day('04'), n: 2 },
    ],
    wholeInEngine: true,
  },
  {
    name: 'what is null in some documents is missing in those added',
    calls: [{ score: 3 }, { agent_name: 'Ben', score: 1 }, { agent_name: 'Ben' }, { agent_name: 'Cay' }],
    pipeline: [
      { $group: { _id: '$agent_name', n: { $sum: 1 }, s: { $max: '$score' } } },
      { $group: { _id: '$n', s: { $min: '$s' } } },
      { $match: { _id: 1 } },
      { $densify: { field: '_id', range: { step: 1, bounds: [0, 3] } } },
      { $project: { s: 1, type: { $type: '$s' } } },
    ],
    result: [
      { _id: 0, type: 'missing' },
      { _id: 1, s: 3, type: 'double' },
      { _id: 2, type: 'missing' },
    ],
    wholeInEngine: true,
  },
  {
    name: 'a null stays beside what is missing',
    calls: [{ score: 3 }, { agent_name: 'Ben' }],
    pipeline: [
      { $group: { _id: '$agent_name', s: { $max: '$score' }, n: { $sum: 1 } } },
      { $setWindowFields: { sortBy: { _id: 1 }, output: { place: { $documentNumber: {} } } } },
      { $project: { _id: 0, place: { $toInt: '$place' }, s: 1 } },
      { $densify: { field: 'place', range: { step: 1, bounds: [0, 4] } } },
    ],
    result: [{ place: 0 }, { s: 3, place: 1 }, { s: null, place: 2 }, { place: 3 }],
    wholeInEngine: true,
  },
  {
    name: 'ints between doubles',
    calls: [{ score: 1.5 }, { score: 2 }],
    pipeline: [
      { $group: { _id: '$score', n: { $sum: 1 } } },
      { $densify: { field: '_id', range: { step: 1, bounds: [0, 3] } } },
      { $project: { n: 1, type: { $type: '$_id' } } },
    ],
    result: [
      { _id: 0, type: 'int' },
      { _id: 1, type: 'int' },
      { _id: { $numberDouble: '1.5' }, n: 1, type: 'double' },
      { _id: { $numberDouble: '2' }, n: 1, type: 'double' },
    ],
    wholeInEngine: true,
  },
  {
    name: 'an int, and doubles from there on by halves',
    calls: [{ score: 1.5 }],
    pipeline: [
      { $group: { _id: '$score', n: { $sum: 1 } } },
      { $densify: { field: '_id', range: { step: 0.5, bounds: [0, 2] } } },
      { $project: { n: 1, type: { $type: '$_id' } } },
    ],
    result: [
      { _id: 0, type: 'int' },
      { _id: { $numberDouble: '0.5' }, type: 'double' },
      { _id: { $numberDouble: '1' }, type: 'double' },
      { _id: { $numberDouble: '1.5' }, n: 1, type: 'double' },
    ],
  },
  {
    name: 'halves',
    calls: [{ score: 1.5 }, { score: 3 }],
    pipeline: [
      { $group: { _id: '$score', n: { $sum: 1 } } },
      { $densify: { field: '_id', range: { step: 0.5, bounds: 'full' } } },
    ],
    result: [{ _id: 1.5, n: 1 }, { _id: { $numberDouble: '2' } }, { _id: 2.5 }, { _id: { $numberDouble: '3' }, n: 1 }],
    wholeInEngine: true,
  },
  {
    name: 'thirds are rounded as they add up',
    calls: [{ score: 0.1 }, { score: 0.7 }],
    pipeline: [
      { $group: { _id: '$score', n: { $sum: 1 } } },
      { $densify: { field: '_id', range: { step: 0.2, bounds: 'full' } } },
    ],
    result: [{ _id: 0.1, n: 1 }, { _id: 0.30000000000000004 }, { _id: 0.5 }, { _id: 0.7, n: 1 }],
  },
  {
    name: 'months from the first of one',
    calls: [{ created_dt: '2026-01-05T00:00:00Z' }, { created_dt: '2026-04-05T00:00:00Z' }],
    pipeline: [
      { $group: { _id: { $dateTrunc: { date: '$created_dt', unit: 'month' } } } },
      { $densify: { field: '_id', range: { step: 1, unit: 'month', bounds: 'full' } } },
    ],
    result: ['01', '02', '03', '04'].map(month => ({ _id: { $date: `2026-${month}-01T00:00:00.000Z` } })),
    wholeInEngine: true,
  },
  {
    name: 'what no call has: too many are refused',
    calls: threeDays,
    pipeline: daily({ step: 1, unit: 'second', bounds: 'full' }),
    error: '$densify would add more than 100000 documents',
  },
  {
    name: 'a partition of those without the field',
    calls: [
      { agent_name: 'Ana', channel: 'voice', created_dt: '2026-03-01T00:00:00Z' },
      { agent_name: 'Ana', created_dt: '2026-03-03T00:00:00Z' },
      { agent_name: 'Ben', created_dt: '2026-03-01T00:00:00Z' },
    ],
    pipeline: [
      { $project: { _id: 0, channel: 1, created_dt: 1 } },
      {
        $densify: {
          field: 'created_dt',
          partitionByFields: ['channel'],
          range: { step: 1, unit: 'day', bounds: 'partition' },
        },
      },
    ],
    result: [
      { created_dt: day('01') },
      { created_dt: day('02') },
      { created_dt: day('03') },
      { created_dt: day('01'), channel: 'voice' },
    ],
    wholeInEngine: true,
  },
  {
    name: 'documents that were added come in the order of the scale in sorts after it',
    calls: threeDays,
    pipeline: daily({ step: 1, unit: 'day', bounds: 'full' }, { $sort: { n: 1 } }),
    result: [{ _id: day('02') }, { _id: day('03') }, { _id: day('01'), n: 1 }, { _id: day('04'), n: 2 }],
    wholeInEngine: true,
  },
  {
    name: 'full: from the least to the greatest',
    documents: [
      { a: 4, x: 1 },
      { a: 1, x: 2 },
    ],
    pipeline: [{ $densify: { field: 'a', range: { step: 1, bounds: 'full' } } }],
    result: [{ a: 1, x: 2 }, { a: 2 }, { a: 3 }, { a: 4, x: 1 }],
    wholeInEngine: true,
  },
  {
    name: 'values off the grid stay, the grid goes on',
    documents: [{ a: 0 }, { a: 3 }, { a: 5 }],
    pipeline: [{ $densify: { field: 'a', range: { step: 2, bounds: 'full' } } }],
    result: [{ a: 0 }, { a: 2 }, { a: 3 }, { a: 4 }, { a: 5 }],
    wholeInEngine: true,
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
    wholeInEngine: true,
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
    wholeInEngine: true,
  },
  {
    name: 'bounds: the low one included, the high one not',
    documents: [{ a: 2 }, { a: 9 }],
    pipeline: [{ $densify: { field: 'a', range: { step: 1, bounds: [1, 4] } } }],
    result: [{ a: 1 }, { a: 2 }, { a: 3 }, { a: 9 }],
    wholeInEngine: true,
  },
  {
    name: 'bounds fill even nothing',
    documents: [{ a: 1 }],
    pipeline: [{ $match: { a: 0 } }, { $densify: { field: 'a', range: { step: 1, bounds: [0, 2] } } }],
    result: [{ a: 0 }, { a: 1 }],
    wholeInEngine: true,
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
