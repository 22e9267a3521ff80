import { type Fragment, bind, sql, trusted } from '../../compile/sql.js'
import { given, take } from '../../compile/take.js'
import { ExpressionError } from '../expression-error.js'
import { named } from '../named.js'
import { wrongType } from '../wrong-type.js'
import { dayNumber, monthNumber } from './calendar.js'
import { type ZoneSql, zoneSql } from './local-sql.js'
import { offsetAt, toLocal, zoneOf } from './time-zone.js'
import { FIXED_MS, MONTHS, UNITS, type Unit, unitOf, weekDayOf } from './units.js'
import { checkArguments } from './check-arguments.js'

/** The number of the unit that holds a date, so that differences count the boundaries between. */
function position(date: Date, unit: Unit, zone: string, start: number): number {
  const fixed = FIXED_MS[unit]
  if (fixed !== undefined) {
    // Local hours begin at another minute where the zone is not whole hours from UTC.
    return Math.floor((date.getTime() + (offsetAt(date.getTime(), zone) % fixed)) / fixed)
  }
  const local = toLocal(date, zone)
  const months = MONTHS[unit]
  if (months !== undefined) return Math.floor(monthNumber(local) / months)
  // 1970 began on a Thursday, the fourth day of a week from Monday.
  return unit === 'week' ? Math.floor((dayNumber(local) + 4 - start) / 7) : dayNumber(local)
}

function differenceSql(from: Fragment, to: Fragment, unit: Unit, zone: ZoneSql, start: number): Fragment | undefined {
  if (FIXED_MS[unit] !== undefined) {
    if (zone.offset === undefined || zone.offset % 60 !== 0) return undefined
    return sql`date_diff(${trusted(`'${unit}'`)}, ${from}, ${to})`
  }
  const [a, b] = [zone.toLocal(from), zone.toLocal(to)]
  if (unit !== 'week') return sql`date_diff(${trusted(`'${unit}'`)}, ${a}, ${b})`
  const week = (local: Fragment) =>
    sql`floor((date_diff('day', timestamp '1970-01-01', ${local}) + ${bind(BigInt(4 - start), 'BIGINT')}) / 7)::bigint`
  return sql`(${week(b)} - ${week(a)})`
}

/** The boundaries of a unit between two dates. */
export const dateDiff = named({
  name: '$dateDiff',
  doc: {
    form: '{ $dateDiff: { startDate, endDate, unit, timezone, startOfWeek } }',
    meaning:
      'How many boundaries of the unit lie between two dates, negative when the end is before the start: from January 31 to February 1 it is one month. Days and longer units are those of the time zone; weeks begin on Sunday unless startOfWeek names another day. Null and missing give null.',
    example: {
      expression: { $dateDiff: { startDate: '$from', endDate: '$to', unit: 'month' } },
      document: { from: { $date: '2026-01-31T00:00:00Z' }, to: { $date: '2026-02-01T00:00:00Z' } },
      result: 1,
    },
  },
  fields: {
    startDate: 'required',
    endDate: 'required',
    unit: 'required',
    timezone: 'optional',
    startOfWeek: 'optional',
  },
  check: (operands, where) => checkArguments('$dateDiff', operands, where),
  evaluate: ({ startDate, endDate, unit, timezone, startOfWeek }, given) => {
    if ([startDate ?? null, endDate ?? null, unit ?? null].includes(null)) return null
    if (given.has('timezone') && (timezone ?? null) === null) return null
    const weekStart = given.has('startOfWeek') ? (startOfWeek ?? null) : 'sunday'
    if (unit === 'week' && weekStart === null) return null
    if (!(startDate instanceof Date)) throw wrongType('$dateDiff', 'dates', startDate)
    if (!(endDate instanceof Date)) throw wrongType('$dateDiff', 'dates', endDate)
    const known = unitOf(unit)
    if (known === undefined) throw new ExpressionError('$dateDiff', `takes the units ${UNITS.join(', ')}`)
    const start = known === 'week' ? weekDayOf(weekStart) : 7
    if (start === undefined) throw new ExpressionError('$dateDiff', 'takes a day of the week as startOfWeek')
    const zone = zoneOf('$dateDiff', timezone)
    return BigInt(position(endDate, known, zone, start) - position(startDate, known, zone, start))
  },
  sql: ({ startDate, endDate, unit, timezone, startOfWeek }) => {
    const known = unitOf(unit?.literal)
    const zone = zoneSql(timezone)
    const start = startOfWeek === undefined ? 7 : weekDayOf(startOfWeek.literal)
    if (startDate === undefined || endDate === undefined) return undefined
    if (known === undefined || zone === undefined || start === undefined) return undefined
    const dates = { operator: '$dateDiff', wanted: 'date', wants: 'dates', nulls: 'null' } as const
    const taken = take([startDate, endDate], dates)
    const [from, to] = taken?.operands ?? []
    if (taken !== undefined && (from?.type.kind === 'nothing' || to?.type.kind === 'nothing')) {
      return given(taken, sql`null`, { kind: 'nothing' })
    }
    if (taken === undefined || from?.type.kind !== 'date' || to?.type.kind !== 'date') return undefined
    const difference = differenceSql(from.sql, to.sql, known, zone, start)
    return difference && given(taken, difference, { kind: 'int', bits: 54, long: true })
  },
})
