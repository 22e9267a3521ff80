import { compareValues, valueKey } from '../../order.js'
import type { Value } from '../../value.js'

/** Different values by their key. */
export function distinct(values: Iterable<Value>): Map<string, Value> {
  const found = new Map<string, Value>()
  for (const value of values) {
    const key = valueKey(value)
    if (!found.has(key)) found.set(key, value)
  }
  return found
}

/** Values in their order: what the set operators give, as MongoDB does. */
export function inOrder(values: Iterable<Value>): readonly Value[] {
  return [...values].toSorted(compareValues)
}
