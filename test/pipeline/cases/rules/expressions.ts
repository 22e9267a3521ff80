import type { Case } from '../../../support/pipeline-cases.js'

const is = (expression: unknown, result: unknown, document?: object): Case => ({
  name: `${JSON.stringify(expression)} is ${JSON.stringify(result) ?? 'missing'}`,
  expression,
  ...(document === undefined ? {} : { document }),
  result,
})

const fails = (expression: unknown, error: string | RegExp, document?: object): Case => ({
  name: `${JSON.stringify(expression)} fails`,
  expression,
  ...(document === undefined ? {} : { document }),
  error,
})

const noon = { $date: '2026-03-01T12:00:00.123Z' }
const sunday = { d: noon }

/** Expressions, dates and conversions: one row or more for each rule. */
export const cases: readonly Case[] = [
  ...[false, 0, null, '$nothing'].map(no => is({ $cond: [no, 'yes', 'no'] }, 'no')),
  ...['', 'x', 1, -0.5, true].map(yes => is({ $cond: [yes, 'yes', 'no'] }, 'yes')),
  is({ $cond: [[], 'yes', 'no'] }, 'yes'),
  is({ $cond: [{ $literal: {} }, 'yes', 'no'] }, 'yes'),
  is({ $type: { $divide: [4, 2] } }, 'double'),
  fails({ $divide: [1, '$zero'] }, 'can not divide by zero', { zero: 0 }),
  fails({ $mod: [1, '$zero'] }, 'zero', { zero: 0 }),
  is({ $mod: [-7, 3] }, -1),
  is({ $mod: [7, -3] }, 1),
  ...[
    [0.5, 0],
    [1.5, 2],
    [2.5, 2],
    [-1.5, -2],
  ].map(([from, to]) => is({ $eq: [{ $round: [from] }, to] }, true)),
  is({ $concat: ['a', null] }, null),
  fails({ $concat: ['a', 1] }, '$concat takes strings, not int'),
  is({ $toUpper: 'maßé' }, 'MAßé'),
  is({ $toLower: 'ÀB' }, 'Àb'),
  is({ $toUpper: null }, ''),
  is({ $toLower: '$nothing' }, ''),
  fails({ $strLenCP: '$nothing' }, '$strLenCP'),
  fails({ $size: 5 }, '$size takes an array, not int'),
  fails({ $size: '$nothing' }, '$size takes an array, not missing'),
  is({ $arrayElemAt: [[1, 2], 2] }, undefined),
  is({ $arrayElemAt: [[1, 2], -1] }, 2),
  is({ $literal: '$a' }, '$a', { a: 1 }),
  is({ $type: '$nothing' }, 'missing'),
  is({ $isNumber: '1' }, false),
  is({ $cmp: ['a', 'b'] }, -1),
  is({ $toInt: 2.9 }, 2),
  is({ $toInt: -2.9 }, -2),
  fails({ $toInt: 3_000_000_000 }, '$toInt'),
  fails({ $toInt: '2.5' }, '$toInt'),
  is({ $convert: { input: 'x', to: 'int', onError: 'bad', onNull: 'none' } }, 'bad'),
  is({ $convert: { input: null, to: 'int', onError: 'bad', onNull: 'none' } }, 'none'),
  is({ $dayOfWeek: '$d' }, 1, sunday),
  is({ $isoDayOfWeek: '$d' }, 7, sunday),
  is({ $week: { $literal: { $date: '2026-01-03T00:00:00Z' } } }, 0),
  is({ $week: { $literal: { $date: '2026-01-04T00:00:00Z' } } }, 1),
  is({ $dateToString: { date: { $dateTrunc: { date: '$d', unit: 'week' } } } }, '2026-03-01T00:00:00.000Z', sunday),
  is(
    { $dateToString: { date: { $dateTrunc: { date: '$d', unit: 'week', startOfWeek: 'monday' } } } },
    '2026-02-23T00:00:00.000Z',
    sunday,
  ),
  is({ $dateToString: { date: '$d' } }, '2026-03-01T12:00:00.123Z', sunday),
  is({ $dateToString: { date: null } }, null),
  is({ $millisecond: { $literal: { $date: '1969-12-31T23:59:59.999Z' } } }, 999),
  is({ $toLong: { $literal: { $date: '1969-12-31T23:59:59.999Z' } } }, { $numberLong: '-1' }),
  is(
    {
      $dateDiff: {
        startDate: { $literal: { $date: '2026-01-31T23:00:00Z' } },
        endDate: { $literal: { $date: '2026-02-01T01:00:00Z' } },
        unit: 'month',
      },
    },
    { $numberLong: '1' },
  ),
  is(
    { $dateAdd: { startDate: { $literal: { $date: '2026-01-31T00:00:00Z' } }, unit: 'month', amount: 1 } },
    { $date: '2026-02-28T00:00:00Z' },
  ),
  is({ $hour: { date: '$d', timezone: 'America/New_York' } }, 7, sunday),
  is({ $hour: { date: '$d', timezone: '+05:30' } }, 17, sunday),
  fails({ $hour: { date: '$d', timezone: 'Mars/Base' } }, 'neither an Olson name nor an offset', sunday),
  is({ $abs: ['$a'] }, 1, { a: -1 }),
  is({ $add: 17 }, 17),
  is({ $and: true }, true),
  is('$items.foo', [11], { items: [1, { foo: 11 }, 3] }),
  is({ $avg: '$nothing' }, null),
]
