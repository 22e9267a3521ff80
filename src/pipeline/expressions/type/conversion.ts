import { failing } from '../../compile/fails.js'
import { bind, sql } from '../../compile/sql.js'
import type { SqlExpression } from '../../compile/types.js'
import { BOOL, DATE } from '../../given-type.js'
import type { Value } from '../../value.js'
import { eager } from '../eager.js'
import type { ExpressionDoc } from '../expression-doc.js'
import { ExpressionError } from '../expression-error.js'
import type { ExpressionOperator } from '../expression-operator.js'
import { convertSql } from './convert-sql.js'
import { Unconvertible, convertValue } from './convert-value.js'
import type { Target } from './target.js'

/** The value converted. Throws the operator's error for what can't be. */
export function converted(operator: string, value: Value, to: Target): Value {
  try {
    return convertValue(value, to)
  } catch (error) {
    if (error instanceof Unconvertible) throw new ExpressionError(operator, error.message)
    throw error
  }
}

/** $toInt and its like: null and missing give null, what can't be converted is an error. */
export function conversion(name: string, to: Target, doc: ExpressionDoc): ExpressionOperator {
  return eager({
    name,
    doc,
    arity: [1, 1],
    gives: () => (to === 'date' ? DATE : to === 'bool' ? BOOL : undefined),
    evaluate: value => (value === undefined || value === null ? null : converted(name, value, to)),
    sql: ([operand], context) => {
      const result = operand && convertSql(operand, to, context)
      if (operand === undefined || result === undefined) return undefined
      const absent = operand.type.absent === 'never' && operand.type.kind !== 'open' ? 'never' : 'null'
      const compiled: SqlExpression = { sql: result.sql, type: { ...result.kind, absent } }
      if (result.reason === undefined) return compiled
      return failing(compiled, sql`(${bind(`${name} `, 'VARCHAR')} || ${result.reason})`)
    },
  })
}
