import type { ParseContext } from '../parse-context.js'
import { shapeOf } from '../stages/shape-of.js'
import type { Expression } from '../tree.js'

/** Which operands are known to be dates, or lists of them: ISO 8601 texts beside them are read as dates. */
export interface DatesKnown {
  readonly isDate: (operand: Expression) => boolean
  readonly areDates: (operand: Expression) => boolean
}

/** What is known at a stage. A date that is written out says itself what is meant, and nothing of what stands beside it. */
export function datesKnown(context: ParseContext): DatesKnown {
  const typeOf = (operand: Expression) => (operand.kind === 'literal' ? undefined : shapeOf(operand, context))
  return {
    isDate: operand => typeOf(operand)?.kind === 'date',
    areDates: operand => {
      const type = typeOf(operand)
      return type?.kind === 'list' && type.of.kind === 'date'
    },
  }
}
