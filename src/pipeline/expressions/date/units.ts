import { toExtended } from '../../extended-json.js'
import { refuseName } from '../../refusal.js'
import type { Expression } from '../../tree.js'

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

/** Refuses a literal unit that is none, before anything runs. */
export function checkUnit(operands: ReadonlyMap<string, Expression>, where: string): void {
  const unit = operands.get('unit')
  if (unit?.kind !== 'literal' || unit.value === null || unitOf(unit.value) !== undefined) return
  const name = typeof unit.value === 'string' ? unit.value : JSON.stringify(toExtended(unit.value))
  refuseName(`${where}.unit`, 'The unit', name, UNITS, new Map())
}

const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

/** ISO day of the week (Monday is 1) of a name such as "mon" or "Monday"; `undefined` for anything else. */
export function weekDayOf(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined
  const name = value.toLowerCase()
  const index = DAYS.findIndex(day => day === name || day.slice(0, 3) === name)
  return index === -1 ? undefined : index + 1
}
