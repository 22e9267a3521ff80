import { join, sql } from '../../compile/sql.js'
import { truthySql } from '../../compile/truthy-sql.js'
import { isTruthy } from '../../value.js'
import { lazy } from '../eager.js'

export const or = lazy({
  name: '$or',
  arity: [0, Infinity],
  evaluate: (...operands) => operands.some(operand => isTruthy(operand())),
  sql: operands => {
    const conditions = operands.map(truthySql).filter(one => one !== undefined)
    if (conditions.length < operands.length) return undefined
    const any =
      conditions.length === 0
        ? sql`false`
        : join(
            conditions.map(one => sql`coalesce(${one}, false)`),
            ' or ',
          )
    return { sql: sql`(${any})`, type: { kind: 'bool', absent: 'never' } }
  },
})
