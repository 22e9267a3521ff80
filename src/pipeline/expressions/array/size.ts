import { sql } from '../../compile/sql.js'
import { ExpressionError } from '../expression-error.js'
import { isArray, typeName } from '../../value.js'
import { eager } from '../eager.js'

export const size = eager({
  name: '$size',
  arity: [1, 1],
  evaluate: value => {
    if (!isArray(value)) throw new ExpressionError('$size', `takes an array, not ${typeName(value)}`)
    return value.length
  },
  // Of what may be absent it is an error, which the engine must not raise.
  sql: ([operand]) => {
    if (operand?.type.kind !== 'list' || operand.type.absent !== 'never') return undefined
    return { sql: sql`len(${operand.sql})`, type: { kind: 'int', bits: 31, absent: 'never' } }
  },
})
