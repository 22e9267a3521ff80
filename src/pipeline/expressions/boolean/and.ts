import { join, sql } from '../../compile/sql.js'
import { truthySql } from '../../compile/truthy-sql.js'
import { isTruthy } from '../../value.js'
import { lazy } from '../eager.js'

export const and = lazy({
  name: '$and',
  arity: [0, Infinity],
  evaluate: (...operands) => operands.every(operand => isTruthy(operand())),
  sql: operands => {
    const conditions = operands.map(truthySql).filter(one => one !== undefined)
    if (conditions.length < operands.length) return undefined
    const all =
      conditions.length === 0
        ? sql`true`
        : join(
            conditions.map(one => sql`coalesce(${one}, false)`),
            ' and ',
          )
    return { sql: sql`(${all})`, type: { kind: 'bool', absent: 'never' } }
  },
})
