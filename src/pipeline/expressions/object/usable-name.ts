import { POISONED } from '../../poisoned.js'
import type { Value } from '../../value.js'
import { ExpressionError } from '../expression-error.js'

/** A computed field name. Throws for what no document may have as one. */
export function usableName(operator: string, value: Value | undefined): string {
  if (typeof value !== 'string') throw new ExpressionError(operator, 'takes strings as field names')
  if (value.includes('\0')) throw new ExpressionError(operator, 'takes field names without NUL characters')
  if (POISONED.has(value)) throw new ExpressionError(operator, `does not take ${value} as a field name`)
  return value
}
