import { type Fragment, bind, sql, trusted } from '../../compile/sql.js'
import { given, take } from '../../compile/take.js'
import { DATE } from '../../given-type.js'
import { whole } from '../whole-number.js'
import { ExpressionError } from '../expression-error.js'
import { named } from '../named.js'
import { wrongType } from '../wrong-type.js'
import { dayNumber, monthNumber, startOfMonth } from './calendar.js'
import { type ZoneSql, zoneSql } from './local-sql.js'
import { fromLocal, readTimeZone, toLocal, zoneOf } from './time-zone.js'
import { DAY_MS, FIXED_MS, MONTHS, THOUSAND_YEARS_MS, UNITS, type Unit, unitOf, weekDayOf } from './units.js'
import { checkArguments } from './check-arguments.js'
import { dateThere } from './date-there.js'

/** Bins are counted from here, in local time. */
const REFERENCE = Date.UTC(2000, 0, 1)
const REFERENCE_DAY = REFERENCE / DAY_MS
const REFERENCE_MONTH = 2000 * 12

const floorTo = (value: number, step: number, from: number) => Math.floor((value - from) / step) * step + from

/** The first day of a week that is not before the reference: weeks are counted from there. */
const firstWeek = (start: number) => REFERENCE_DAY + ((start - 6 + 7) % 7)

function truncate(date: Date, unit: Unit, bin: number, zone: string, start: number): Date {
  const fixed = FIXED_MS[unit]
  if (fixed !== undefined) {
    // What lasts equally long everywhere is counted in real time, from the local start of the reference.
    const from = fromLocal(new Date(REFERENCE), zone).getTime()
    return new Date(floorTo(date.getTime(), fixed * bin, from))
  }
  const local = toLocal(date, zone)
  const months = MONTHS[unit]
  if (months !== undefined) {
    return fromLocal(new Date(startOfMonth(floorTo(monthNumber(local), months * bin, REFERENCE_MONTH))), zone)
  }
  const [step, from] = unit === 'week' ? [7, firstWeek(start)] : [1, REFERENCE_DAY]
  return fromLocal(new Date(floorTo(dayNumber(local), step * bin, from) * DAY_MS), zone)
}

/** A local time cut to a unit. */
function cutSql(local: Fragment, unit: Unit, start: number): Fragment {
  const days = unit === 'week' ? (8 - start) % 7 : 0
  if (days === 0) return sql`date_trunc(${trusted(`'${unit}'`)}, ${local})::timestamp`
  const shift = trusted(`interval ${days} day`)
  return sql`(date_trunc(${trusted(`'${unit}'`)}, ${local} + ${shift}) - ${shift})::timestamp`
}

/** What lies a whole number of steps from an origin, at or before a count: milliseconds or months. */
const floorSql = (count: Fragment, step: number, from: number): Fragment => {
  const [by, origin] = [bind(BigInt(step), 'BIGINT'), bind(BigInt(from), 'BIGINT')]
  return sql`(${count} - (((${count} - ${origin}) % ${by}) + ${by}) % ${by})`
}

const ofMillis = (millis: Fragment): Fragment => sql`make_timestamp(${millis} * 1000)`

/** The longest bins in the engine: a thousand years keep within what a TIMESTAMP holds. */
const MOST_BIN_MONTHS = 12_000

/** A date cut to units, several together; `undefined` for bins too long to reckon with. */
function binSql(
  instant: Fragment,
  unit: Unit,
  bin: number,
  start: number,
  zone: ZoneSql & { readonly name: string },
): Fragment | undefined {
  const fixed = FIXED_MS[unit]
  if (fixed !== undefined) {
    if (fixed * bin > THOUSAND_YEARS_MS) return undefined
    const from = fromLocal(new Date(REFERENCE), zone.name).getTime()
    return ofMillis(floorSql(sql`epoch_ms(${instant})`, fixed * bin, from))
  }
  const local = zone.toLocal(instant)
  const months = MONTHS[unit]
  if (months !== undefined) {
    if (months * bin > MOST_BIN_MONTHS) return undefined
    const first = floorSql(sql`(year(${local}) * 12 + month(${local}) - 1)`, months * bin, REFERENCE_MONTH)
    const january = floorSql(first, 12, 0)
    return zone.fromLocal(sql`make_timestamp(${january} // 12, ${first} - ${january} + 1, 1, 0, 0, 0)`)
  }
  const [days, from] = unit === 'week' ? [7 * bin, firstWeek(start)] : [bin, REFERENCE_DAY]
  if (days * DAY_MS > THOUSAND_YEARS_MS) return undefined
  return zone.fromLocal(ofMillis(floorSql(sql`epoch_ms(${local})`, days * DAY_MS, from * DAY_MS)))
}

/** The start of the year, quarter, month, week (Sunday unless startOfWeek says otherwise), day … that holds a date. */
export const dateTrunc = named({
  name: '$dateTrunc',
  doc: {
    form: '{ $dateTrunc: { date, unit, binSize, timezone, startOfWeek } }',
    meaning:
      'The start of the year, quarter, month, week, day, hour, minute, second or millisecond that holds a date, in the time zone (UTC when none is given). With binSize so many units together, counted from the year 2000. Weeks begin on Sunday unless startOfWeek names another day. Null and missing give null.',
    example: {
      expression: { $dateTrunc: { date: '$created_dt', unit: 'week', startOfWeek: 'monday' } },
      document: { created_dt: { $date: '2026-03-07T17:08:09Z' } },
      result: { $date: '2026-03-02T00:00:00.000Z' },
    },
  },
  fields: { date: 'required', unit: 'required', binSize: 'optional', timezone: 'optional', startOfWeek: 'optional' },
  gives: DATE,
  check: (operands, where) => checkArguments('$dateTrunc', operands, where),
  evaluate: ({ date, unit, binSize, timezone, startOfWeek }, given) => {
    const absent = (['binSize', 'timezone'] as const).some(
      name => given.has(name) && ({ binSize, timezone }[name] ?? null) === null,
    )
    const weekStart = given.has('startOfWeek') ? (startOfWeek ?? null) : 'sunday'
    if ((date ?? null) === null || (unit ?? null) === null || absent) return null
    if (unit === 'week' && weekStart === null) return null
    if (!(date instanceof Date)) throw wrongType('$dateTrunc', 'dates', date)
    const known = unitOf(unit)
    if (known === undefined) throw new ExpressionError('$dateTrunc', `takes the units ${UNITS.join(', ')}`)
    const bin = binSize === undefined ? 1 : whole(binSize)
    if (bin === undefined || bin < 1) throw new ExpressionError('$dateTrunc', 'takes a whole number from 1 as binSize')
    const start = known === 'week' ? weekDayOf(weekStart) : 7
    if (start === undefined) throw new ExpressionError('$dateTrunc', 'takes a day of the week as startOfWeek')
    return dateThere('$dateTrunc', truncate(date, known, bin, zoneOf('$dateTrunc', timezone), start))
  },
  sql: ({ date, unit, binSize, timezone, startOfWeek }) => {
    const known = unitOf(unit?.literal)
    const zone = zoneSql(timezone)
    const start = startOfWeek === undefined ? 7 : weekDayOf(startOfWeek.literal)
    if (date === undefined || known === undefined || zone === undefined || start === undefined) return undefined
    const bin = binSize === undefined ? 1 : binSize.constant
    if (bin === undefined || !Number.isSafeInteger(bin) || bin < 1) return undefined
    // Local hours and minutes begin with the real ones only where the clock is whole hours off and never changes.
    const isCut = FIXED_MS[known] === undefined || (zone.offset !== undefined && zone.offset % 60 === 0)
    const taken = take([date], { operator: '$dateTrunc', wanted: 'date', wants: 'dates', nulls: 'null' })
    const instant = taken?.operands[0]
    if (taken !== undefined && instant?.type.kind === 'nothing') return given(taken, sql`null`, { kind: 'nothing' })
    if (taken === undefined || instant?.type.kind !== 'date') return undefined
    const { bounded } = instant.type
    const kind = { kind: 'date', ...(bounded === undefined ? {} : { bounded }) } as const
    if (bin > 1 || !isCut) {
      const name = typeof timezone?.literal === 'string' ? timezone.literal : 'UTC'
      const binned = binSql(instant.sql, known, bin, start, { ...zone, name: readTimeZone(name)! })
      // The first bin of a bounded date may begin before the years it is bounded to.
      return binned && given(taken, sql`(${binned})::timestamp`, { kind: 'date' })
    }
    const cut = cutSql(zone.toLocal(instant.sql), known, start)
    const value = (local: Fragment) => sql`(${zone.fromLocal(local)})::timestamp`
    const result = given(taken, value(cut), kind)
    // The way back from local time takes the engine longest: groups go it, not rows.
    return zone.offset === undefined ? { ...result, groupedBy: { sql: cut, value } } : result
  },
})
