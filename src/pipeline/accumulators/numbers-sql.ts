import { jsonKind } from '../compile/json-kind.js'
import { sql } from '../compile/sql.js'
import { jsonIsInt } from '../compile/type-name-sql.js'
import type { SqlExpression } from '../compile/types.js'

/**
 * The numbers among the values, everything else NULL: what $sum and its like look at. `nothing` where there can be
 * none.
 */
export function numbersSql(operand: SqlExpression): SqlExpression | 'nothing' {
  const { type, sql: value } = operand
  if (type.kind === 'int' || type.kind === 'double') return operand
  if (type.kind !== 'open') return 'nothing'
  return {
    sql: sql`(case when ${jsonKind.isNumber(value)} then ${jsonKind.number(value)} end)`,
    type: { kind: 'double', finite: true, mixed: 31, absent: 'null' },
    isInt: jsonIsInt(value),
  }
}
