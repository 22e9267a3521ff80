import { sql } from '../compile/sql.js'
import { compareValues } from '../order.js'
import type { Value } from '../value.js'
import type { Accumulator } from './accumulator.js'
import { ofValues } from './of-values.js'

/** $min and $max: in the order of types, null and missing ignored, nothing gives null. */
export function extreme(name: '$min' | '$max'): Accumulator {
  const sign = name === '$min' ? -1 : 1
  return ofValues({
    name,
    start: () => {
      let best: Value = null
      return {
        add: value => {
          if (value === undefined || value === null) return
          if (best === null || compareValues(value, best) * sign > 0) best = value
        },
        result: () => best,
      }
    },
    sql: ({ sql: value, type }) => {
      if (type.kind === 'nothing') return { sql: sql`null`, type: { kind: 'nothing', absent: 'null' } }
      const exact = type.kind === 'string' || type.kind === 'date' || type.kind === 'int' || type.kind === 'bool'
      if (!exact && !(type.kind === 'double' && type.finite)) return undefined
      return { sql: name === '$min' ? sql`min(${value})` : sql`max(${value})`, type: { ...type, absent: 'null' } }
    },
  })
}
