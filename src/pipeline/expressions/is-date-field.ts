import type { ParseContext } from '../parse-context.js'
import type { Expression } from '../tree.js'

/** Whether an expression is a field that is known to hold a date: ISO 8601 texts beside it are read as dates. */
export function isDateField(operand: Expression, context: ParseContext): boolean {
  if (operand.kind !== 'field' || operand.variable !== undefined) return false
  let type = context.shape?.get(operand.path[0] ?? '')
  for (const part of operand.path.slice(1)) {
    if (type?.kind !== 'struct') return false
    type = type.fields.get(part)
  }
  return type?.kind === 'date'
}
