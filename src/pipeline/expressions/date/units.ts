/** Units of time as pipelines name them, the largest first. */
export const UNITS = ['year', 'quarter', 'month', 'week', 'day', 'hour', 'minute', 'second', 'millisecond'] as const

export type Unit = (typeof UNITS)[number]

/** Units that last equally long everywhere, in milliseconds. */
export const FIXED_MS: Readonly<Partial<Record<Unit, number>>> = {
  hour: 3_600_000,
  minute: 60_000,
  second: 1000,
  millisecond: 1,
}

export const DAY_MS = 86_400_000

/** Units that are counted in months, and how many they are. */
export const MONTHS: Readonly<Partial<Record<Unit, number>>> = { year: 12, quarter: 3, month: 1 }

/** Units that are counted in days, and how many they are. */
export const DAYS: Readonly<Partial<Record<Unit, number>>> = { week: 7, day: 1 }

/** Units that last equally long everywhere in UTC, in milliseconds. */
export const UTC_MS: Readonly<Partial<Record<Unit, number>>> = { week: 7 * DAY_MS, day: DAY_MS, ...FIXED_MS }

/** Milliseconds from 1970 on, and as many before, that a date may be away from it. */
export const MOST_MILLIS = 8_640_000_000_000_000

/** A thousand years, in milliseconds, or a little more: dates this far from the last there is are safe to reckon with. */
export const THOUSAND_YEARS_MS = 1000 * 366 * DAY_MS

export function unitOf(value: unknown): Unit | undefined {
  return UNITS.find(unit => unit === value)
}

const WEEK_DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

/** ISO day of the week (Monday is 1) of a name such as "mon" or "Monday"; `undefined` for anything else. */
export function weekDayOf(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined
  const name = value.toLowerCase()
  const index = WEEK_DAYS.findIndex(day => day === name || day.slice(0, 3) === name)
  return index === -1 ? undefined : index + 1
}
