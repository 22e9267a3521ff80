import { commonKind } from '../../compile/common-type.js'
import { join, sql } from '../../compile/sql.js'
import { lazy } from '../eager.js'

/** The first operand that is neither null nor missing, else the last one as it is. */
export const ifNull = lazy({
  name: '$ifNull',
  arity: [2, Infinity],
  evaluate: (...operands) => {
    for (const operand of operands.slice(0, -1)) {
      const value = operand()
      if (value !== undefined && value !== null) return value
    }
    return operands.at(-1)?.()
  },
  sql: operands => {
    const kind = commonKind(operands)
    const last = operands.at(-1)
    if (kind === undefined || last === undefined) return undefined
    const certain = operands.slice(0, -1).some(operand => operand.type.absent === 'never')
    return {
      sql: sql`coalesce(${join(
        operands.map(operand => operand.sql),
        ', ',
      )})`,
      type: { ...kind, absent: certain ? 'never' : last.type.absent },
    }
  },
})
