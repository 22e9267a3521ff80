import { bind, sql } from '../../compile/sql.js'
import { double, isNumeric, toNumber, typeName } from '../../value.js'
import { ExpressionError } from '../expression-error.js'
import { eager } from '../eager.js'

/** The quotient, always a double; by zero it is an error. */
export const divide = eager({
  name: '$divide',
  arity: [2, 2],
  evaluate: (a, b) => {
    if (a === undefined || a === null || b === undefined || b === null) return null
    if (!isNumeric(a) || !isNumeric(b)) {
      throw new ExpressionError('$divide', `takes numbers, not ${typeName(isNumeric(a) ? b : a)}`)
    }
    if (toNumber(b) === 0) throw new ExpressionError('$divide', 'can not divide by zero')
    return double(toNumber(a) / toNumber(b))
  },
  // A divisor that may be zero may raise; the engine raises nothing a caller's row could cause (design.md, 10).
  sql: ([a, b]) => {
    if (a === undefined || b === undefined) return undefined
    const numeric = (kind: string) => kind === 'int' || kind === 'double'
    if (!numeric(a.type.kind) || !numeric(b.type.kind) || b.constant === undefined || b.constant === 0) return undefined
    return {
      sql: sql`(${a.sql} / ${bind(b.constant, 'DOUBLE')})`,
      type: { kind: 'double', finite: false, absent: a.type.absent === 'never' ? 'never' : 'null' },
    }
  },
})
