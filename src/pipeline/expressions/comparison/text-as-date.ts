import { besideDate } from '../../extended-json.js'
import type { Expression } from '../../tree.js'

/** What stands beside a date: of a text that is written out the date it means. */
export function textAsDate(operand: Expression): Expression {
  return operand.kind === 'literal' ? { kind: 'literal', value: besideDate(operand.value) } : operand
}
