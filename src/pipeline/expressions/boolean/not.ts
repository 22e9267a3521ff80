import { sql } from '../../compile/sql.js'
import { truthySql } from '../../compile/truthy-sql.js'
import { isTruthy } from '../../value.js'
import { eager } from '../eager.js'

export const not = eager({
  name: '$not',
  arity: [1, 1],
  evaluate: value => !isTruthy(value),
  sql: ([operand]) => {
    const condition = operand && truthySql(operand)
    return condition && { sql: sql`((${condition}) is not true)`, type: { kind: 'bool', absent: 'never' } }
  },
})
