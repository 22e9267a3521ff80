import type { RuleSet } from './rule.js'

const on = (text: string) => ({ $literal: { $date: text } })

/** Dates, their parts and their texts. */
export const dates: RuleSet = {
  title: 'Dates',
  rules: [
    {
      name: 'dates and texts',
      says: 'A text is never compared with a date. Where the record says that a field is a date, such as `created_dt`, an ISO 8601 text beside it is read as a date, in filters, comparisons, and the bounds of `$bucket` and `$densify`; elsewhere write `{"$date": …}`.',
      example: {
        documents: [
          { _id: 1, at: { $date: '2026-05-01T00:00:00Z' } },
          { _id: 2, at: { $date: '2026-01-01T00:00:00Z' } },
        ],
        pipeline: [{ $match: { at: { $gte: { $date: '2026-03-01T00:00:00Z' } } } }, { $project: { _id: 1 } }],
        result: [{ _id: 1 }],
      },
    },
    {
      name: 'milliseconds',
      says: 'Dates are whole milliseconds, negative before 1970.',
      example: {
        documents: [{ at: { $date: '1969-12-31T23:59:59.999Z' } }],
        pipeline: [{ $project: { since: { $toLong: '$at' }, part: { $millisecond: '$at' } } }],
        result: [{ since: -1, part: 999 }],
      },
    },
    {
      name: 'days and weeks',
      says: '`$dayOfWeek` is 1 on Sunday to 7, `$isoDayOfWeek` 1 on Monday. `$week` counts from the first Sunday, 0 to 53; `$isoWeek` as ISO 8601 does. `$dateTrunc` to weeks starts on Sunday unless `startOfWeek` says otherwise.',
      example: {
        documents: [{ at: { $date: '2026-03-01T12:00:00Z' } }],
        pipeline: [
          {
            $project: {
              day: { $dayOfWeek: '$at' },
              isoDay: { $isoDayOfWeek: '$at' },
              week: { $week: '$at' },
              isoWeek: { $isoWeek: '$at' },
              from: { $dateTrunc: { date: '$at', unit: 'week' } },
            },
          },
        ],
        result: [{ day: 1, isoDay: 7, week: 9, isoWeek: 9, from: { $date: '2026-03-01T00:00:00Z' } }],
      },
    },
    {
      name: 'spans of time',
      says: '`$dateDiff` counts the bounds that are crossed: from January 31 to February 1 is one month. `$dateAdd` stays within the month: a month after January 31 is February 28.',
      example: {
        documents: [{ at: { $date: '2026-01-31T00:00:00Z' } }],
        pipeline: [
          {
            $project: {
              months: { $dateDiff: { startDate: '$at', endDate: on('2026-02-01T00:00:00Z'), unit: 'month' } },
              later: { $dateAdd: { startDate: '$at', unit: 'month', amount: 1 } },
            },
          },
        ],
        result: [{ months: 1, later: { $date: '2026-02-28T00:00:00Z' } }],
      },
    },
    {
      name: 'time zones',
      says: '`timezone` is a name of the time zone database or an offset such as `"+05:30"`; without one it is UTC. Anything else fails.',
      example: {
        documents: [{ at: { $date: '2026-03-01T12:00:00Z' } }],
        pipeline: [
          {
            $project: {
              utc: { $hour: '$at' },
              there: { $hour: { date: '$at', timezone: 'America/New_York' } },
              offset: { $hour: { date: '$at', timezone: '+05:30' } },
            },
          },
        ],
        result: [{ utc: 12, there: 7, offset: 17 }],
      },
    },
    {
      name: 'dates as texts',
      says: '`$dateToString` writes `%Y-%m-%dT%H:%M:%S.%LZ` unless told otherwise, and null for null.',
      example: {
        documents: [{ at: { $date: '2026-03-01T12:00:00Z' } }, { at: null }],
        pipeline: [{ $project: { text: { $dateToString: { date: '$at' } } } }],
        result: [{ text: '2026-03-01T12:00:00.000Z' }, { text: null }],
      },
    },
  ],
}
