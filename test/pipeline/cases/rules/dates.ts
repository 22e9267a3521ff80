import type { Case } from '../../../support/pipeline-cases.js'
import { fails, given, kept, keptCalls, under } from '../../../support/rule-rows.js'

const date = (text: string) => ({ $date: text })
const days = ['2026-02-28', '2026-03-01', '2026-03-02'].map(day => date(`${day}T12:00:00Z`))
const calls = ['2026-02-01T10:00:00Z', '2026-03-01T10:00:00Z'].map(created_dt => ({ created_dt }))
const before = date('1969-12-31T23:59:59.999Z')
const trunc = (unit: string, more: object = {}) => ({ $dateTrunc: { date: '$a', unit, ...more } })
const diff = (endDate: string, unit: string, more: object = {}) => ({
  $dateDiff: { startDate: '$a', endDate: { $literal: date(endDate) }, unit, ...more },
})

export const cases: readonly Case[] = [
  ...under(
    'dates and texts',
    kept(
      'a text never bounds a date',
      { a: { $gte: '2026-01-01' } },
      [date('2026-05-01T00:00:00Z'), date('2026-06-01T00:00:00Z')],
      [],
    ),
    kept('a date never bounds a text', { a: { $gte: date('2026-01-01T00:00:00Z') } }, ['2026-05-01', '2026-06-01'], []),
    kept('among others', { a: { $gte: '2026-01-01' } }, [date('2026-05-01T00:00:00Z'), '2026-05-01'], [1], {
      evaluated: true,
    }),
    ...['2026-03-01', '2026-03-01T00:00', '2026-03-01T00:00:00Z', '2026-03-01T01:00:00+01:00', date('2026-03-01')].map(
      from =>
        keptCalls(`a date of the record from ${JSON.stringify(from)}`, { created_dt: { $gte: from } }, calls, [1]),
    ),
    keptCalls('equal to', { created_dt: '2026-03-01T10:00:00Z' }, calls, [1]),
    keptCalls('listed', { created_dt: { $in: ['2026-03-01T10:00:00Z', 'x'] } }, calls, [1]),
    keptCalls('negated', { created_dt: { $not: { $lt: '2026-03-01' } } }, calls, [1]),
    keptCalls('a text that is no date', { created_dt: { $gte: 'last week' } }, calls, []),
    {
      name: 'in expressions',
      calls,
      pipeline: [{ $match: { $expr: { $gte: ['$created_dt', '2026-03-01'] } } }, { $project: { _id: 1 } }],
      result: [{ _id: 'c1' }],
      wholeInEngine: true,
    },
    {
      name: 'boundaries of $bucket',
      calls,
      pipeline: [{ $bucket: { groupBy: '$created_dt', boundaries: ['2026-01-01', '2026-02-15', '2026-06-01'] } }],
      result: [
        { _id: date('2026-01-01T00:00:00Z'), count: 1 },
        { _id: date('2026-02-15T00:00:00Z'), count: 1 },
      ],
      wholeInEngine: true,
    },
    {
      name: 'bounds of $densify',
      calls: [{ created_dt: '2026-03-01T00:00:00Z' }],
      pipeline: [
        { $densify: { field: 'created_dt', range: { step: 1, unit: 'day', bounds: ['2026-03-01', '2026-03-03'] } } },
        { $project: { _id: 0, created_dt: 1 } },
      ],
      result: ['2026-03-01', '2026-03-02'].map(day => ({ created_dt: date(`${day}T00:00:00Z`) })),
    },
    keptCalls(
      'metadata is not read as dates',
      { 'session_metadata.at': { $gte: '2026-03-01' } },
      [{ session_metadata: { at: '2026-04-01' } }, { session_metadata: { at: '2026-01-01' } }],
      [0],
    ),
  ),
  ...under(
    'milliseconds',
    given('before 1970', { $toLong: '$a' }, [before, date('1970-01-01T00:00:00.001Z')], [-1, 1], { evaluated: true }),
    given('the part', { $millisecond: '$a' }, [before], [999]),
    given('parts before 1970', [{ $year: '$a' }, { $second: '$a' }], [before], [[1969, 59]]),
    given('$subtract', { $subtract: ['$a', { $literal: before }] }, [date('1970-01-01T00:00:00Z')], [1]),
    given('$toDate', { $toDate: '$a' }, [{ $numberDouble: '-1' }], [before], { evaluated: true }),
    given('$dateTrunc before 1970', trunc('second'), [before], [date('1969-12-31T23:59:59Z')]),
    given('whole milliseconds', { $toLong: { $toDate: '$a' } }, ['2026-03-01T00:00:00.123456Z'], [1_772_323_200_123], {
      evaluated: true,
    }),
  ),
  ...under(
    'days and weeks',
    given('$dayOfWeek', { $dayOfWeek: '$a' }, days, [7, 1, 2]),
    given('$isoDayOfWeek', { $isoDayOfWeek: '$a' }, days, [6, 7, 1]),
    given('$week', { $week: '$a' }, ['2026-01-03', '2026-01-04', '2026-12-31', '2023-12-31'].map(date), [0, 1, 52, 53]),
    given(
      '$isoWeek',
      { $isoWeek: '$a' },
      ['2026-01-03', '2026-01-05', '2026-12-31', '2024-12-30'].map(date),
      [1, 2, 53, 1],
    ),
    given('$isoWeekYear', { $isoWeekYear: '$a' }, ['2024-12-30', '2027-01-01'].map(date), [2025, 2026]),
    given('$dayOfYear', { $dayOfYear: '$a' }, ['2024-12-31', '2026-03-01'].map(date), [366, 60]),
    given(
      '$dateTrunc',
      trunc('week'),
      days,
      ['2026-02-22', '2026-03-01', '2026-03-01'].map(day => date(`${day}T00:00:00Z`)),
    ),
    given(
      '$dateTrunc from Monday',
      trunc('week', { startOfWeek: 'monday' }),
      days,
      ['2026-02-23', '2026-02-23', '2026-03-02'].map(day => date(`${day}T00:00:00Z`)),
    ),
    given('$dateDiff in weeks', diff('2026-03-01T00:00:00Z', 'week'), days, [1, 0, 0]),
    given('$dateDiff from Monday', diff('2026-03-02T00:00:00Z', 'week', { startOfWeek: 'Mon' }), days, [1, 1, 0]),
  ),
  ...under(
    'spans of time',
    given(
      'months',
      diff('2026-02-01T01:00:00Z', 'month'),
      [date('2026-01-31T23:00:00Z'), date('2026-01-01T00:00:00Z')],
      [1, 1],
    ),
    given(
      'years',
      diff('2026-01-01T00:00:00Z', 'year'),
      [date('2025-12-31T23:59:59Z'), date('2026-12-31T00:00:00Z')],
      [1, 0],
    ),
    given(
      'hours',
      diff('2026-01-01T01:00:00Z', 'hour'),
      [date('2026-01-01T00:59:00Z'), date('2026-01-01T01:59:00Z')],
      [1, 0],
    ),
    given('backwards', diff('2026-01-01T00:00:00Z', 'day'), [date('2026-01-02T00:00:00Z')], [-1]),
    given(
      'the end of a month',
      { $dateAdd: { startDate: '$a', unit: 'month', amount: 1 } },
      ['2026-01-31', '2024-01-30'].map(date),
      ['2026-02-28', '2024-02-29'].map(date),
    ),
    given(
      'a leap day',
      { $dateAdd: { startDate: '$a', unit: 'year', amount: 1 } },
      ['2024-02-29'].map(date),
      ['2025-02-28'].map(date),
    ),
    given(
      '$dateSubtract',
      { $dateSubtract: { startDate: '$a', unit: 'month', amount: 1 } },
      ['2026-03-31'].map(date),
      ['2026-02-28'].map(date),
    ),
    given('of null', { $dateAdd: { startDate: '$a', unit: 'day', amount: 1 } }, [null, undefined], [null, null]),
  ),
  ...under(
    'time zones',
    given('a name', { $hour: { date: '$a', timezone: 'America/New_York' } }, days, [7, 7, 7]),
    given('summer time', { $hour: { date: '$a', timezone: 'America/New_York' } }, [date('2026-07-01T12:00:00Z')], [8]),
    given('an offset', { $hour: { date: '$a', timezone: '+05:30' } }, days, [17, 17, 17]),
    given(
      'other ways to write it',
      [{ $hour: { date: '$a', timezone: '+0530' } }, { $hour: { date: '$a', timezone: '-03' } }],
      [days[0]],
      [[17, 9]],
    ),
    given(
      'a day there',
      { $dateTrunc: { date: '$a', unit: 'day', timezone: 'America/New_York' } },
      [date('2026-03-01T02:00:00Z')],
      [date('2026-02-28T05:00:00Z')],
    ),
    given(
      'a day that is shorter',
      { $dateAdd: { startDate: '$a', unit: 'day', amount: 1, timezone: 'America/New_York' } },
      [date('2026-03-07T17:00:00Z')],
      [date('2026-03-08T16:00:00Z')],
    ),
    given('null', { $hour: { date: '$a', timezone: null } }, days, [null, null, null], { evaluated: true }),
    fails('none', { $hour: { date: '$a', timezone: 'Mars/Base' } }, days[0], 'neither an Olson name nor an offset'),
    fails(
      'none for $dateTrunc',
      trunc('day', { timezone: 'Mars/Base' }),
      days[0],
      'neither an Olson name nor an offset',
    ),
  ),
  ...under(
    'dates as texts',
    given(
      'unless told otherwise',
      { $dateToString: { date: '$a' } },
      [days[0], undefined],
      ['2026-02-28T12:00:00.000Z', null],
    ),
    given('null', { $dateToString: { date: '$a' } }, [null], [null]),
    given('onNull', { $dateToString: { date: '$a', onNull: 'never' } }, [null, undefined], ['never', 'never']),
    given('a format', { $dateToString: { date: '$a', format: '%Y-%m' } }, days, ['2026-02', '2026-03', '2026-03']),
    given('before 1970', { $dateToString: { date: '$a' } }, [before], ['1969-12-31T23:59:59.999Z']),
    given('$toString', { $toString: '$a' }, [days[0]], ['2026-02-28T12:00:00.000Z']),
  ),
]
