import { readInstant, readLiteral } from '../extended-json.js'
import type { Value } from '../value.js'
import type { LeafContext } from './leaf-operator.js'

/**
 * The value a filter compares with. A plain ISO 8601 string against a date field is read as a date: that is what models
 * write, and MongoDB would find nothing (rule "dates and texts").
 */
export function readOperand(json: unknown, context: LeafContext): Value {
  const value = readLiteral(json, context.parse.where)
  if (!context.isDate || typeof value !== 'string') return value
  const date = readInstant(value)
  if (date !== undefined) return date
  context.parse.warnings.push(
    `${context.parse.where}: ${context.path.join('.')} is a date; compare it with an ISO 8601 date such as 2026-03-01`,
  )
  return value
}
