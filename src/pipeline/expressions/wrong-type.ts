import { type Value, typeName } from '../value.js'
import { ExpressionError } from './expression-error.js'

/** The error of an operand of another type than the operator takes; the value itself is never told. */
export function wrongType(operator: string, wants: string, value: Value | undefined): ExpressionError {
  return new ExpressionError(operator, `takes ${wants}, not ${typeName(value)}`)
}
