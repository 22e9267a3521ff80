import { ofOpen } from '../compile/take.js'
import type { SqlExpression } from '../compile/types.js'

/**
 * The numbers among the values, everything else NULL: what $sum and its like look at. `nothing` where there can be
 * none.
 */
export function numbersSql(operand: SqlExpression): SqlExpression | 'nothing' {
  const { type, sql: value } = operand
  if (type.kind === 'int' || type.kind === 'double') return operand
  return type.kind === 'open' ? ofOpen(value, 'number') : 'nothing'
}
