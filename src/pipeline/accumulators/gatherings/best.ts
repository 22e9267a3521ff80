import { compareValues } from '../../order.js'
import type { Value } from '../../value.js'
import type { Gathering } from './gathering.js'

/** The least or greatest in the order of types; null and missing are ignored, nothing gives null. */
export function best(which: 'least' | 'greatest'): Gathering {
  const sign = which === 'least' ? -1 : 1
  let found: Value = null
  return {
    add: value => {
      if (value === undefined || value === null) return
      if (found === null || compareValues(value, found) * sign > 0) found = value
    },
    result: () => found,
  }
}
