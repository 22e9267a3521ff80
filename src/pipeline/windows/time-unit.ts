import { Temporal } from 'temporal-polyfill'

/** Units in which dates are apart. */
export const timeUnits = ['year', 'quarter', 'month', 'week', 'day', 'hour', 'minute', 'second', 'millisecond'] as const

export type TimeUnit = (typeof timeUnits)[number]

/** Milliseconds of the units that are always of one length. */
export const unitMillis: Readonly<Partial<Record<TimeUnit, number>>> = {
  week: 604_800_000,
  day: 86_400_000,
  hour: 3_600_000,
  minute: 60_000,
  second: 1_000,
  millisecond: 1,
}

/** A date so many units later in UTC; the end of a month is kept within the month, as $dateAdd does. */
export function addUnits(date: Date, unit: TimeUnit, amount: number): Date {
  const millis = unitMillis[unit]
  if (millis !== undefined) return new Date(date.getTime() + amount * millis)
  const months = unit === 'year' ? 12 * amount : unit === 'quarter' ? 3 * amount : amount
  const start = Temporal.Instant.fromEpochMilliseconds(date.getTime()).toZonedDateTimeISO('UTC')
  return new Date(start.add({ months }).epochMilliseconds)
}
