import { readInstant, readLiteral } from '../extended-json.js'
import type { Value } from '../value.js'
import { adviseOperand } from './advise-operand.js'
import type { LeafContext } from './leaf-operator.js'

/**
 * The value a filter compares with. A plain ISO 8601 string against a date field is read as a date: that is what models
 * write, and MongoDB would find nothing (rule "dates and texts").
 */
export function readOperand(json: unknown, context: LeafContext): Value {
  const value = readLiteral(json, context.parse.where)
  const date = context.isDate && typeof value === 'string' ? readInstant(value) : undefined
  if (date !== undefined) return date
  adviseOperand(value, context.path, context.parse)
  return value
}
