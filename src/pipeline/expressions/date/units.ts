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

export function unitOf(value: unknown): Unit | undefined {
  return UNITS.find(unit => unit === value)
}

const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

/** ISO day of the week (Monday is 1) of a name such as "mon" or "Monday"; `undefined` for anything else. */
export function weekDayOf(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined
  const name = value.toLowerCase()
  const index = DAYS.findIndex(day => day === name || day.slice(0, 3) === name)
  return index === -1 ? undefined : index + 1
}
