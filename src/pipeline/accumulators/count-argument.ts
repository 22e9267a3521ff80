import type { ParseExpression } from '../expressions/expression-operator.js'
import type { ParseContext } from '../parse-context.js'
import { Refusal } from '../refusal.js'
import { isNumeric, toNumber } from '../value.js'

/** How many, as the accumulators that keep several take it: a constant whole number from 1. */
export function countArgument(json: unknown, context: ParseContext, parse: ParseExpression): number {
  const parsed = parse(json, context)
  const value = parsed.kind === 'literal' ? parsed.value : undefined
  const count = isNumeric(value) ? toNumber(value) : Number.NaN
  if (!Number.isInteger(count) || count < 1 || count > 1_000_000) {
    throw new Refusal(context.where, 'is a constant whole number from 1 to 1000000')
  }
  return count
}
