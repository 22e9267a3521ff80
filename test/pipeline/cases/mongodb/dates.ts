import type { Case } from '../../../support/pipeline-cases.js'

/**
 * What MongoDB's own tests hold of $dateTrunc, $dateDiff, $dateAdd and $dateSubtract (jstests/aggregation/expressions), every
 * argument a field: the order in which arguments are looked at shows in what a wrong one beside a missing one gives.
 */

const at = (text: string) => ({ $date: text })
const some = at('2020-11-01T18:23:36Z')

const truncated = { $dateTrunc: { date: '$date', unit: '$unit', binSize: '$binSize', timezone: '$timeZone' } }
const truncatedWeeks = { $dateTrunc: { ...truncated.$dateTrunc, startOfWeek: '$startOfWeek' } }
const difference = { $dateDiff: { startDate: '$startDate', endDate: '$endDate', unit: '$unit', timezone: '$timeZone' } }
const differenceInWeeks = { $dateDiff: { ...difference.$dateDiff, startOfWeek: '$startOfWeek' } }

type Row = readonly [name: string, expression: object, document: object, result: unknown]

const results: readonly Row[] = [
  [
    'the start of the week counts for weeks only',
    truncatedWeeks,
    {
      date: at('2021-12-01T18:23:36Z'),
      unit: 'hour',
      binSize: 4,
      timeZone: 'America/New_York',
      startOfWeek: 'IGNORED',
    },
    at('2021-12-01T17:00:00Z'),
  ],
  [
    'weeks begin on Sunday',
    { $dateTrunc: { date: '$date', unit: 'week' } },
    { date: at('2021-02-15T18:23:36Z') },
    at('2021-02-14T00:00:00Z'),
  ],
  [
    'pairs of weeks that begin on Monday in New York',
    truncatedWeeks,
    { date: at('2000-01-30T18:00:00Z'), unit: 'week', binSize: 2, timeZone: 'America/New_York', startOfWeek: 'mon' },
    at('2000-01-17T05:00:00Z'),
  ],
  ['no date beside what is wrong', truncated, { unit: 'H', binSize: 'string', timeZone: 1 }, null],
  ['no unit beside what is wrong', truncated, { date: 'no', binSize: 'no', timeZone: 'no' }, null],
  ['no size beside what is wrong', truncated, { date: 'no', unit: 'no', timeZone: 'no' }, null],
  ['no time zone beside what is wrong', truncated, { date: 1, unit: 'century', binSize: '1' }, null],
  [
    'no start of the week beside what is wrong',
    truncatedWeeks,
    { date: 1, unit: 'week', binSize: '', timeZone: 1 },
    null,
  ],
  ['a null size', truncated, { date: some, unit: 'hour', binSize: null, timeZone: 'UTC' }, null],
  [
    'a null start of the week',
    truncatedWeeks,
    { date: some, unit: 'week', binSize: 1, timeZone: 'GMT', startOfWeek: null },
    null,
  ],
  [
    'a size that is a whole double',
    truncated,
    { date: at('2020-01-30T18:59:00Z'), unit: 'minute', binSize: { $numberDouble: '15' }, timeZone: 'UTC' },
    at('2020-01-30T18:45:00Z'),
  ],
  [
    'a size that is a long',
    truncated,
    { date: at('2020-01-30T18:59:00Z'), unit: 'day', binSize: { $numberLong: '1' }, timeZone: 'UTC' },
    at('2020-01-30T00:00:00Z'),
  ],
  [
    'a thousand milliseconds',
    truncated,
    { date: at('2020-01-30T18:59:00.003Z'), unit: 'millisecond', binSize: 1000, timeZone: 'UTC' },
    at('2020-01-30T18:59:00Z'),
  ],
  [
    'a start of the week that is none, for years',
    truncatedWeeks,
    { date: at('2020-01-30T18:59:00Z'), unit: 'year', binSize: 1, timeZone: 'GMT', startOfWeek: 1 },
    at('2020-01-01T00:00:00Z'),
  ],
  [
    'hours between',
    { $dateDiff: { startDate: '$startDate', endDate: '$endDate', unit: '$unit' } },
    { startDate: some, endDate: at('2020-11-02T00:00:00Z'), unit: 'hour' },
    { $numberLong: '6' },
  ],
  ['no start beside what is wrong', difference, { endDate: 1, unit: 'century', timeZone: 'no' }, null],
  ['no end beside what is wrong', difference, { startDate: '', unit: 'epoch', timeZone: 'no' }, null],
  ['no unit of a difference beside what is wrong', difference, { startDate: 1, endDate: 2, timeZone: 'no' }, null],
  [
    'no time zone of a difference beside what is wrong',
    difference,
    { startDate: 1, endDate: 2, unit: 'century' },
    null,
  ],
  [
    'no start of the week of a difference beside what is wrong',
    differenceInWeeks,
    { startDate: 1, endDate: 2, unit: 'week', timeZone: 1 },
    null,
  ],
  [
    'weeks from Monday between',
    differenceInWeeks,
    {
      startDate: at('2021-01-24T18:23:36Z'),
      endDate: at('2021-01-25T02:23:36Z'),
      unit: 'week',
      timeZone: 'GMT',
      startOfWeek: 'MONDAY',
    },
    { $numberLong: '1' },
  ],
  [
    'weeks back in New York',
    differenceInWeeks,
    {
      startDate: at('2021-01-17T05:00:00Z'),
      endDate: at('2021-01-17T04:59:00Z'),
      unit: 'week',
      timeZone: 'America/New_York',
      startOfWeek: 'sunday',
    },
    { $numberLong: '-1' },
  ],
  [
    'weeks from Sunday between',
    { $dateDiff: { startDate: '$startDate', endDate: '$endDate', unit: 'week' } },
    { startDate: at('2021-01-24T18:23:36Z'), endDate: at('2021-01-25T02:23:36Z') },
    { $numberLong: '0' },
  ],
  [
    'a start of the week that is none, for hours between',
    differenceInWeeks,
    { startDate: some, endDate: some, unit: 'hour', timeZone: 'GMT', startOfWeek: 1 },
    { $numberLong: '0' },
  ],
  ...(
    [
      ['$dateAdd', 'day', 1, undefined, '2020-11-30T12:10:05Z', '2020-12-01T12:10:05Z'],
      ['$dateAdd', 'hour', 24, 'Europe/Paris', '2020-10-24T18:10:00Z', '2020-10-25T18:10:00Z'],
      ['$dateAdd', 'day', 1, 'Europe/Paris', '2020-10-24T18:10:00Z', '2020-10-25T19:10:00Z'],
      ['$dateAdd', 'month', 1, 'Europe/Paris', '2021-01-30T23:30:00Z', '2021-02-27T23:30:00Z'],
      ['$dateAdd', 'week', 1, undefined, '2020-12-31T12:10:05Z', '2021-01-07T12:10:05Z'],
      ['$dateAdd', 'millisecond', 1050, undefined, '2020-12-31T12:10:05Z', '2020-12-31T12:10:06.05Z'],
      ['$dateSubtract', 'quarter', 2, undefined, '2020-12-31T12:10:05Z', '2020-06-30T12:10:05Z'],
      ['$dateSubtract', 'month', 3, 'Europe/Paris', '2020-12-31T12:10:05Z', '2020-09-30T11:10:05Z'],
      ['$dateSubtract', 'month', 2, undefined, '2021-01-31T03:00:00Z', '2020-11-30T03:00:00Z'],
      ['$dateSubtract', 'month', 2, 'America/New_York', '2021-01-31T03:00:00Z', '2020-12-01T03:00:00Z'],
      ['$dateSubtract', 'second', 125, undefined, '2020-12-31T12:10:05Z', '2020-12-31T12:08:00Z'],
    ] as const
  ).map(([operator, unit, amount, timezone, from, to]): Row => [
    `${operator} ${amount} ${unit} to ${from} ${timezone ?? ''}`,
    { [operator]: { startDate: '$date', unit, amount, ...(timezone === undefined ? {} : { timezone }) } },
    { date: at(from) },
    at(to),
  ]),
]

const failures: readonly (readonly [name: string, expression: object, document: object])[] = [
  ['a date that is none', truncated, { date: 'string', unit: 'hour', binSize: 1, timeZone: 'UTC' }],
  ['a unit that is a number', truncated, { date: some, unit: 1, binSize: 1, timeZone: 'UTC' }],
  ['a unit that is none', truncated, { date: some, unit: 'century', binSize: 1, timeZone: 'UTC' }],
  ['a size of 0', truncated, { date: some, unit: 'hour', binSize: 0, timeZone: 'UTC' }],
  ['a size of two and a half', truncated, { date: some, unit: 'hour', binSize: 2.5, timeZone: 'UTC' }],
  ['a time zone that is a number', truncated, { date: some, unit: 'hour', binSize: 1, timeZone: 1 }],
  ['a time zone that is none', truncated, { date: some, unit: 'hour', binSize: 1, timeZone: 'America/Invalid' }],
  [
    'a day that is none',
    truncatedWeeks,
    { date: some, unit: 'week', binSize: 1, timeZone: 'GMT', startOfWeek: 'FRIDIE' },
  ],
  ['an end that is none', difference, { startDate: some, endDate: 1, unit: 'hour', timeZone: 'UTC' }],
  [
    'a unit of a difference that is none',
    difference,
    { startDate: some, endDate: some, unit: 'decade', timeZone: 'UTC' },
  ],
  ['part of a year', { $dateSubtract: { startDate: '$date', unit: 'year', amount: 1.001 } }, { date: some }],
]

export const cases: readonly Case[] = [
  ...results.map(([name, expression, document, result]): Case => ({ name, expression, document, result })),
  ...failures.map(([name, expression, document]): Case => ({ name, expression, document, error: '$date' })),
]
