import { orderBy } from '../compile/compile-context.js'
import { sql } from '../compile/sql.js'
import type { Value } from '../value.js'
import type { Accumulator } from './accumulator.js'
import { ofValues } from './of-values.js'

/** $first and $last in the order of arrival; of a missing value null. */
export function end(name: '$first' | '$last'): Accumulator {
  return ofValues({
    name,
    start: () => {
      let found: Value | undefined
      return {
        add: value => {
          if (name === '$last' || found === undefined) found = value ?? null
        },
        result: () => found ?? null,
      }
    },
    sql: ({ sql: value, type }, { relation }) => {
      if (type.kind === 'nothing') return { sql: sql`null`, type: { kind: 'nothing', absent: 'null' } }
      if (type.kind === 'open') return undefined
      const ordered = sql`${value}${orderBy(relation.order)}`
      return {
        sql: name === '$first' ? sql`first(${ordered})` : sql`last(${ordered})`,
        type: { ...type, absent: type.absent === 'never' ? 'never' : 'null' },
      }
    },
  })
}
