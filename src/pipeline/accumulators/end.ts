import { orderBy } from '../compile/order-by.js'
import { sql } from '../compile/sql.js'
import { eitherType } from '../given-type.js'
import type { Value } from '../value.js'
import type { AccumulatorDoc } from './accumulator-doc.js'
import type { Accumulator } from './accumulator.js'
import { ofValues } from './of-values.js'

/** $first and $last in the order of arrival; of a missing value null. */
export function end(name: '$first' | '$last', doc: AccumulatorDoc): Accumulator {
  return ofValues({
    name,
    doc,
    gives: (operand, typeOf) => eitherType([operand], typeOf),
    start: () => {
      let found: Value | undefined
      return {
        add: value => {
          if (name === '$last' || found === undefined) found = value ?? null
        },
        result: () => found ?? null,
      }
    },
    sql: ({ sql: value, type, isInt }, { relation }) => {
      if (type.kind === 'nothing') return { sql: sql`null`, type: { kind: 'nothing', absent: 'null' } }
      // Without an order the engine might take the two halves of a mixed number from different rows.
      if (type.kind === 'double' && type.mixed !== undefined && (isInt === undefined || relation.order.length === 0)) {
        return undefined
      }
      const order = orderBy(relation.order)
      const pick = (one: typeof value) => (name === '$first' ? sql`first(${one}${order})` : sql`last(${one}${order})`)
      return {
        sql: pick(value),
        type: { ...type, absent: type.absent === 'never' ? 'never' : 'null' },
        ...(isInt === undefined ? {} : { isInt: pick(isInt) }),
      }
    },
  })
}
