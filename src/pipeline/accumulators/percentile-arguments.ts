import { adviseConstant } from '../advise-constant.js'
import { argumentFields } from '../expressions/argument-fields.js'
import type { ParseExpression } from '../expressions/expression-operator.js'
import { readLiteral } from '../extended-json.js'
import { type ParseContext, at } from '../parse-context.js'
import { Refusal } from '../refusal.js'
import type { Expression } from '../tree.js'
import { isArray, isNumeric, toNumber } from '../value.js'

/** What $median and $percentile are asked for. */
export interface PercentileArguments {
  readonly input: Expression
  readonly shares: readonly number[]
}

function readShares(json: unknown, context: ParseContext): readonly number[] {
  const value = readLiteral(json, context.where)
  const shares = isArray(value) ? value.map(one => (isNumeric(one) ? toNumber(one) : Number.NaN)) : []
  if (shares.length === 0 || !shares.every(share => share >= 0 && share <= 1)) {
    throw new Refusal(context.where, 'is an array of numbers from 0 to 1, such as [0.5, 0.95]')
  }
  return shares
}

/**
 * Reads `{input, p, method}`. MongoDB asks for the method "approximate", the only one it has; ours are exact all the
 * same.
 */
export function percentileArguments(
  name: '$median' | '$percentile',
  argument: unknown,
  context: ParseContext,
  parse: ParseExpression,
): PercentileArguments {
  const required = name === '$percentile' ? (['input', 'p'] as const) : (['input'] as const)
  const fields = argumentFields<'input' | 'p' | 'method'>(name, argument, required, ['method'], context)
  const { method = 'approximate' } = fields
  adviseConstant(fields.input, at(context, 'input'))
  if (method !== 'approximate') throw new Refusal(at(context, 'method').where, 'is "approximate"')
  return {
    input: parse(fields.input, at(context, 'input')),
    shares: name === '$median' ? [0.5] : readShares(fields.p, at(context, 'p')),
  }
}
