import type { FieldType } from '../../calls/field-type.js'
import { type ParseContext, typeAt } from '../parse-context.js'
import type { Expression } from '../tree.js'

/** What is known of a computed field: that it carries a field on, or that the operator makes dates. */
export function shapeOf(expression: Expression, context: ParseContext): FieldType | undefined {
  if (expression.kind === 'field' && expression.variable === undefined) return typeAt(context.shape, expression.path)
  if (expression.kind === 'now') return { kind: 'date' }
  if (expression.kind === 'call' && expression.operator === '$dateTrunc') return { kind: 'date' }
  return undefined
}
