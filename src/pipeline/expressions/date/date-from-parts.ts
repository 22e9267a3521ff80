import { failsWhen, firstFailure } from '../../compile/fails.js'
import { type Fragment, join, sql, trusted } from '../../compile/sql.js'
import { given, take } from '../../compile/take.js'
import type { SqlExpression } from '../../compile/types.js'
import { DATE } from '../../given-type.js'
import type { Expression } from '../../tree.js'
import { Refusal } from '../../refusal.js'
import type { Value } from '../../value.js'
import { ExpressionError } from '../expression-error.js'
import { named } from '../named.js'
import { whole } from '../whole-number.js'
import { isoDay, startOfMonth } from './calendar.js'
import { checkArguments } from './check-arguments.js'
import { zoneSql } from './local-sql.js'
import { fromLocal, zoneOf } from './time-zone.js'
import { DAY_MS } from './units.js'

const NAME = '$dateFromParts'
const YEARS = 'takes a year from 1 to 9999'
const PARTS = 'takes whole numbers from -32768 to 32767 as parts'
/** Largest part besides the year, as in MongoDB; larger than their usual range they carry. */
const LARGEST_PART = 32_767

const CALENDAR = ['year', 'month', 'day'] as const
const WEEKS = ['isoWeekYear', 'isoWeek', 'isoDayOfWeek'] as const
const CLOCK = ['hour', 'minute', 'second', 'millisecond'] as const
type Part = (typeof CALENDAR)[number] | (typeof WEEKS)[number] | (typeof CLOCK)[number]

const CLOCK_MS = [3_600_000, 60_000, 1000, 1] as const

function partOf(value: Value | undefined, fallback: number): number {
  const number = value === undefined ? fallback : whole(value)
  if (number === undefined || number < -LARGEST_PART - 1 || number > LARGEST_PART)
    throw new ExpressionError(NAME, PARTS)
  return number
}

/** Day number of a Monday: the first of a year's ISO weeks, which holds January 4th. */
function firstIsoMonday(year: number): number {
  const fourth = new Date(startOfMonth(year * 12) + 3 * DAY_MS)
  return fourth.getTime() / DAY_MS - (isoDay(fourth) - 1)
}

function dayOf(values: Readonly<Partial<Record<Part, Value>>>, weeks: boolean): number {
  const [first, second, third] = weeks ? WEEKS : CALENDAR
  const year = whole(values[first])
  if (year === undefined || year < 1 || year > 9999) throw new ExpressionError(NAME, YEARS)
  const [b, c] = [partOf(values[second], 1), partOf(values[third], 1)]
  if (weeks) return firstIsoMonday(year) + (b - 1) * 7 + (c - 1)
  return startOfMonth(year * 12 + b - 1) / DAY_MS + (c - 1)
}

/** The way of writing it: by month and day, or by ISO week. Mixing them is refused. */
function check(operands: ReadonlyMap<string, Expression>, where: string): void {
  const weeks = WEEKS.some(name => operands.has(name))
  if (weeks && CALENDAR.some(name => operands.has(name))) {
    throw new Refusal(where, `${NAME} takes either year, month and day or isoWeekYear, isoWeek and isoDayOfWeek`)
  }
  if (!operands.has(weeks ? 'isoWeekYear' : 'year')) {
    throw new Refusal(where, `${NAME} needs the argument ${weeks ? 'isoWeekYear' : 'year'}`)
  }
  checkArguments(NAME, operands, where)
}

type Operands = Readonly<Partial<Record<Part | 'timezone', SqlExpression>>>

/** Sums of intervals, which carry as the parts do and raise nothing for parts of 16 bits. */
function partsSql(operands: Operands): SqlExpression | undefined {
  const zone = zoneSql(operands.timezone)
  const names = [...CALENDAR, ...CLOCK].filter(name => operands[name] !== undefined)
  const list = names.map(name => operands[name]!)
  if (zone === undefined || WEEKS.some(name => operands[name] !== undefined)) return undefined
  if (list.some(({ type }) => type.kind !== 'int' || type.bits > 31)) return undefined
  const taken = take(list, { operator: NAME, wanted: 'number', wants: 'whole numbers', nulls: 'null' })
  if (taken === undefined) return undefined
  const there = join(
    list.map(({ sql: value }) => sql`${value} is not null`),
    ' and ',
  )
  const year = operands.year!.sql
  const fails = firstFailure([
    failsWhen(sql`${there} and ${year} not between 1 and 9999`, NAME, YEARS),
    ...names
      .filter(name => name !== 'year' && operands[name]?.constant === undefined)
      .map(name => failsWhen(sql`${there} and ${operands[name]!.sql} not between -32768 and 32767`, NAME, PARTS)),
  ])
  if (names.some(name => name !== 'year' && Math.abs(operands[name]?.constant ?? 0) > LARGEST_PART)) return undefined
  // A part out of its range must not reach the engine's arithmetic, which raises where dates end.
  const part = (name: Part, fallback: number, least = -32768, most = LARGEST_PART): Fragment => {
    const value = operands[name]?.sql
    const [low, high] = [numberSql(least), numberSql(most)]
    return value === undefined ? numberSql(fallback) : sql`least(greatest(${value}, ${low}), ${high})`
  }
  const months = sql`to_months((((${part('year', 1, 1, 9999)} - 2000) * 12) + ${part('month', 1)} - 1)::integer)`
  const days = sql`to_days((${part('day', 1)} - 1)::integer)`
  const clock = sql`to_milliseconds((${part('hour', 0)}::bigint * 3600000 + ${part('minute', 0)}::bigint * 60000 + ${part('second', 0)}::bigint * 1000 + ${part('millisecond', 0)})::bigint)`
  const local = sql`(timestamp '2000-01-01' + ${months} + ${days} + ${clock})`
  const date = sql`(case when ${there} then (${zone.fromLocal(local)})::timestamp end)`
  return given(taken, date, { kind: 'date' }, { fails })
}

const numberSql = (number: number): Fragment => trusted(String(number))

/** A date from its parts. */
export const dateFromParts = named({
  name: NAME,
  doc: {
    form: '{ $dateFromParts: { year, month, day, hour, minute, second, millisecond, timezone } } or with isoWeekYear, isoWeek, isoDayOfWeek',
    meaning:
      'The date with these parts in the time zone; those not given are the first. A part beyond its range carries: month 14 is February of the next year. The year is from 1 to 9999. Null and missing parts give null.',
    example: {
      expression: { $dateFromParts: { year: '$_id.y', month: '$_id.m' } },
      document: { _id: { y: 2026, m: 3 } },
      result: { $date: '2026-03-01T00:00:00.000Z' },
    },
  },
  fields: {
    year: 'optional',
    month: 'optional',
    day: 'optional',
    isoWeekYear: 'optional',
    isoWeek: 'optional',
    isoDayOfWeek: 'optional',
    hour: 'optional',
    minute: 'optional',
    second: 'optional',
    millisecond: 'optional',
    timezone: 'optional',
  },
  gives: DATE,
  check,
  evaluate: (values, given) => {
    for (const name of given) if ((values[name] ?? null) === null) return null
    const zone = zoneOf(NAME, values['timezone'])
    const day = dayOf(values, given.has('isoWeekYear'))
    const clock = CLOCK.reduce((ms, name, i) => ms + partOf(values[name], 0) * CLOCK_MS[i]!, 0)
    return fromLocal(new Date(day * DAY_MS + clock), zone)
  },
  sql: partsSql,
})
