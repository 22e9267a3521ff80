import { objectSql } from '../../compile/compile-expression.js'
import { type Fragment, sql } from '../../compile/sql.js'
import { given, take } from '../../compile/take.js'
import type { SqlExpression } from '../../compile/types.js'
import { ExpressionError } from '../expression-error.js'
import { named } from '../named.js'
import { wrongType } from '../wrong-type.js'
import { isoDay, isoWeek } from './calendar.js'
import { checkArguments } from './check-arguments.js'
import { zoneSql } from './local-sql.js'
import { toLocal, zoneOf } from './time-zone.js'

const NAME = '$dateToParts'

const int = (value: Fragment): SqlExpression => ({ sql: value, type: { kind: 'int', bits: 31, absent: 'never' } })

/** A date's parts. */
export const dateToParts = named({
  name: NAME,
  doc: {
    form: '{ $dateToParts: { date, timezone, iso8601 } }',
    meaning:
      "A document of the date's parts in the time zone: year, month, day, hour, minute, second, millisecond; with iso8601 isoWeekYear, isoWeek and isoDayOfWeek instead of the first three. Null and missing give null.",
    example: {
      expression: { $dateToParts: { date: '$created_dt' } },
      document: { created_dt: { $date: '2026-03-07T17:08:09.045Z' } },
      result: { year: 2026, month: 3, day: 7, hour: 17, minute: 8, second: 9, millisecond: 45 },
    },
  },
  fields: { date: 'required', timezone: 'optional', iso8601: 'optional' },
  check: (operands, where) => checkArguments(NAME, operands, where),
  evaluate: ({ date, timezone, iso8601 }, given) => {
    if (given.has('timezone') && (timezone ?? null) === null) return null
    if (given.has('iso8601') && (iso8601 ?? null) === null) return null
    if (iso8601 !== undefined && typeof iso8601 !== 'boolean')
      throw new ExpressionError(NAME, 'takes true or false as iso8601')
    if ((date ?? null) === null) return null
    if (!(date instanceof Date)) throw wrongType(NAME, 'dates', date)
    const local = toLocal(date, zoneOf(NAME, timezone))
    const { week, year } = isoWeek(local)
    const day =
      iso8601 === true
        ? { isoWeekYear: year, isoWeek: week, isoDayOfWeek: isoDay(local) }
        : { year: local.getUTCFullYear(), month: local.getUTCMonth() + 1, day: local.getUTCDate() }
    return {
      ...day,
      hour: local.getUTCHours(),
      minute: local.getUTCMinutes(),
      second: local.getUTCSeconds(),
      millisecond: local.getUTCMilliseconds(),
    }
  },
  sql: ({ date, timezone, iso8601 }) => {
    const zone = zoneSql(timezone)
    if (date === undefined || zone === undefined) return undefined
    if (iso8601 !== undefined && typeof iso8601.literal !== 'boolean') return undefined
    const taken = take([date], { operator: NAME, wanted: 'date', wants: 'dates', nulls: 'null' })
    const instant = taken?.operands[0]
    if (taken !== undefined && instant?.type.kind === 'nothing') return given(taken, sql`null`, { kind: 'nothing' })
    if (taken === undefined || instant?.type.kind !== 'date') return undefined
    const local = zone.toLocal(instant.sql)
    const day: readonly (readonly [string, SqlExpression])[] =
      iso8601?.literal === true
        ? [
            ['isoWeekYear', int(sql`isoyear(${local})`)],
            ['isoWeek', int(sql`week(${local})`)],
            ['isoDayOfWeek', int(sql`isodow(${local})`)],
          ]
        : [
            ['year', int(sql`year(${local})`)],
            ['month', int(sql`month(${local})`)],
            ['day', int(sql`day(${local})`)],
          ]
    const parts = objectSql([
      ...day,
      ['hour', int(sql`hour(${local})`)],
      ['minute', int(sql`minute(${local})`)],
      ['second', int(sql`second(${local})`)],
      ['millisecond', int(sql`(millisecond(${local}) % 1000)`)],
    ])
    return parts && given(taken, sql`(case when ${instant.sql} is not null then ${parts.sql} end)`, parts.type)
  },
})
