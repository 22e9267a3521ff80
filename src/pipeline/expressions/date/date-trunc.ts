import { Temporal } from 'temporal-polyfill'
import { sql, trusted } from '../../compile/sql.js'
import { ExpressionError } from '../expression-error.js'
import { named } from '../named.js'
import { localSql } from './local-sql.js'
import { inZone } from './time-zone.js'

const UNITS = ['year', 'quarter', 'month', 'week', 'day', 'hour', 'minute', 'second'] as const
type Unit = (typeof UNITS)[number]

const WEEK_STARTS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']

/** ISO day of the week from a name such as "mon", "Monday"; `undefined` for anything else. */
function weekDay(text: string): number | undefined {
  const index = WEEK_STARTS.findIndex(day => text.toLowerCase().startsWith(day))
  return index === -1 ? undefined : index + 1
}

function truncate(local: Temporal.ZonedDateTime, unit: Unit, start: number): Temporal.ZonedDateTime {
  const day = local.startOfDay()
  switch (unit) {
    case 'year':
      return day.with({ month: 1, day: 1 }).startOfDay()
    case 'quarter':
      return day.with({ month: Math.floor((local.month - 1) / 3) * 3 + 1, day: 1 }).startOfDay()
    case 'month':
      return day.with({ day: 1 }).startOfDay()
    case 'week':
      return day.subtract({ days: (local.dayOfWeek - start + 7) % 7 }).startOfDay()
    case 'day':
      return day
    default:
      return local.round({ smallestUnit: unit, roundingMode: 'floor' })
  }
}

/** The start of the year, quarter, month, week (Sunday unless startOfWeek says otherwise), day … that holds a date. */
export const dateTrunc = named({
  name: '$dateTrunc',
  fields: { date: 'required', unit: 'required', timezone: 'optional', startOfWeek: 'optional' },
  evaluate: ({ date, unit, timezone, startOfWeek = 'sunday' }, given) => {
    if (date === undefined || date === null || unit === null || (given.has('timezone') && (timezone ?? null) === null))
      return null
    if (!(date instanceof Date)) throw new ExpressionError('$dateTrunc', 'needs a date')
    const known = UNITS.find(one => one === unit)
    if (known === undefined) throw new ExpressionError('$dateTrunc', `takes the units ${UNITS.join(', ')}`)
    const start = typeof startOfWeek === 'string' ? weekDay(startOfWeek) : undefined
    if (start === undefined) throw new ExpressionError('$dateTrunc', 'takes a day of the week as startOfWeek')
    return new Date(truncate(inZone('$dateTrunc', date, timezone), known, start).epochMilliseconds)
  },
  sql: ({ date, unit, timezone, startOfWeek }) => {
    const known = UNITS.find(one => one === unit?.literal)
    if (date?.type.kind !== 'date' || known === undefined) return undefined
    const zone = localSql(date.sql, timezone)
    if (zone === undefined) return undefined
    const start =
      startOfWeek === undefined ? 7 : typeof startOfWeek.literal === 'string' ? weekDay(startOfWeek.literal) : undefined
    // Local hours can be cut only where no change of the clock falls between; that is left to the evaluator.
    if (start === undefined || (timezone !== undefined && !['year', 'quarter', 'month', 'week', 'day'].includes(known)))
      return undefined
    const shift = trusted(`interval ${known === 'week' ? (8 - start) % 7 : 0} day`)
    const cut = sql`(date_trunc(${trusted(`'${known}'`)}, ${zone.local} + ${shift}) - ${shift})`
    return {
      sql: sql`(${zone.toUtc(sql`${cut}`)})::timestamp`,
      type: { kind: 'date', absent: date.type.absent === 'never' ? 'never' : 'null' },
    }
  },
})
