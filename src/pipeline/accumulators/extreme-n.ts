import { isSortable } from '../compile/sortable.js'
import { sql } from '../compile/sql.js'
import { compareValues } from '../order.js'
import type { Value } from '../value.js'
import type { AccumulatorDoc } from './accumulator-doc.js'
import type { Accumulator } from './accumulator.js'
import { several } from './several.js'

/** $maxN and $minN: null and missing are ignored. */
export function extremeN(name: '$maxN' | '$minN', doc: AccumulatorDoc): Accumulator {
  const sign = name === '$minN' ? 1 : -1
  const inOrder = (values: readonly Value[], n: number) =>
    values.toSorted((a, b) => compareValues(a, b) * sign).slice(0, n)
  return several({
    name,
    doc,
    start: n => {
      let values: Value[] = []
      return {
        add: value => {
          if (value === undefined || value === null) return
          values.push(value)
          if (values.length >= 2 * n + 16) values = inOrder(values, n)
        },
        result: () => inOrder(values, n),
      }
    },
    sql: ({ sql: value, type }, n) => {
      if (!isSortable(type)) return undefined
      const order = name === '$minN' ? sql`order by ${value} asc` : sql`order by ${value} desc`
      const all = sql`list(${value} ${order}) filter (where ${value} is not null)`
      return {
        sql: sql`coalesce(list_slice(${all}, 1, ${n}), [])`,
        type: { kind: 'list', of: { ...type, absent: 'never' }, absent: 'never' },
      }
    },
  })
}
