import type { FieldType } from '../../calls/field-type.js'
import { BOOL, DATE, eitherType } from '../given-type.js'
import { type ParseContext, OPEN, typeInside, valueType } from '../parse-context.js'
import type { Expression } from '../tree.js'

/**
 * What is known of a computed value, where it is neither null nor missing: the type of the field it carries on, a date or
 * truth that an operator makes, or the fields of an object. ISO 8601 texts beside dates are read by it, so it holds for every document
 * or is not told.
 */
export function shapeOf(expression: Expression, context: ParseContext): FieldType | undefined {
  const { shape, variables } = context
  // Without a schema nothing is made of anything.
  if (shape === undefined) return undefined
  const inside = (one: Expression) => shapeOf(one, context)
  switch (expression.kind) {
    case 'field':
      return expression.variable === undefined
        ? valueType(shape, expression.path)
        : typeInside(variables.get(expression.variable), expression.path)
    case 'now':
      return DATE
    case 'literal':
      if (typeof expression.value === 'boolean') return BOOL
      return expression.value instanceof Date ? DATE : undefined
    case 'object':
      return { kind: 'struct', fields: new Map(expression.fields.map(([name, one]) => [name, inside(one) ?? OPEN])) }
    case 'array': {
      const of = eitherType(expression.items, inside)
      return of && { kind: 'list', of }
    }
    case 'call':
      return expression.gives?.(inside)
    case 'remove':
      return undefined
  }
}
