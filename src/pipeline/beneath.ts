import type { Expression } from './tree.js'

/** The expressions directly beneath an expression. */
export function beneath(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'object':
      return expression.fields.map(([, field]) => field)
    case 'array':
      return expression.items
    case 'call':
      return expression.operands
    default:
      return []
  }
}
