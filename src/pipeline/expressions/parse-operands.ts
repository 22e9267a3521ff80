import { type ParseContext, at } from '../parse-context.js'
import { Refusal } from '../refusal.js'
import type { Expression } from '../tree.js'
import type { ParseExpression } from './expression-operator.js'

/** Fewest and most operands. */
export type Arity = readonly [least: number, most: number]

/**
 * The operands of an operator: `{$add: [a, b]}`, or `{$abs: a}` with a single operand, which MongoDB accepts without
 * the array for any operator.
 */
export function parseOperands(
  name: string,
  [least, most]: Arity,
  argument: unknown,
  context: ParseContext,
  parse: ParseExpression,
): readonly Expression[] {
  const list = Array.isArray(argument) ? argument : [argument]
  if (list.length < least || list.length > most) {
    const wanted = least === most ? `${least}` : most === Infinity ? `at least ${least}` : `${least} to ${most}`
    const plural = wanted === '1' ? '' : 's'
    throw new Refusal(context.where, `${name} takes ${wanted} operand${plural}, not ${list.length}`)
  }
  return list.map((item, i) => parse(item, Array.isArray(argument) ? at(context, i) : context))
}
