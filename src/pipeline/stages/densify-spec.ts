import { DAY_MS, type Unit } from '../expressions/date/units.js'
import type { FieldPath } from '../path.js'
import type { Value } from '../value.js'

/** Most documents $densify adds. MongoDB's own limit is 500,000; ours is counted before any is made. */
export const MOST_ADDED = 100_000

export const TOO_MANY = `would add more than ${MOST_ADDED} documents; take a larger step or closer bounds`

/** A $densify, parsed. */
export interface Densify {
  readonly field: FieldPath
  readonly partitions: readonly FieldPath[]
  readonly step: number
  readonly unit: Unit | undefined
  readonly bounds: 'full' | 'partition' | readonly [Value, Value]
}

/** Milliseconds of the units of no one length, as short as they get: what is counted by them is never too few. */
export const LEAST_MILLIS: Readonly<Partial<Record<Unit, number>>> = {
  year: 365 * DAY_MS,
  quarter: 90 * DAY_MS,
  month: 28 * DAY_MS,
}
