import type { Value } from '../../value.js'

/** Gathers values, one after the other; `undefined` is a missing one. */
export interface Gathering {
  add(value: Value | undefined): void
  result(): Value
}
