import { evaluateExpression, expressionToJson } from '../evaluate-expression.js'
import { ExpressionError } from '../expressions/expression-error.js'
import type { ParseExpression } from '../expressions/expression-operator.js'
import type { ParseContext } from '../parse-context.js'
import { Refusal } from '../refusal.js'
import { constantOf } from '../stages/constant.js'
import { type Value, isDocument, isNumeric, toNumber } from '../value.js'

const MOST_COUNT = 1_000_000
const WANTED = `a whole number from 1 to ${MOST_COUNT}`

/** How many values an accumulator keeps. */
export interface Count {
  /** Where it is the same for all groups. */
  readonly constant: number | undefined
  /** For a group of a key. Throws where it is no such number. */
  of(key: Value | undefined): number
  toJson(): unknown
}

function countOf(value: Value | undefined): number | undefined {
  const count = isNumeric(value) ? toNumber(value) : Number.NaN
  return Number.isInteger(count) && count >= 1 && count <= MOST_COUNT ? count : undefined
}

/**
 * How many, as the accumulators that keep several take it: a constant whole number from 1 or, in $group, an expression over
 * the fields of a key that is a document.
 */
export function countArgument(json: unknown, name: string, context: ParseContext, parse: ParseExpression): Count {
  const parsed = parse(json, { ...context, shape: undefined })
  const value = constantOf(parsed)
  const constant = countOf(value)
  if (constant !== undefined) return { constant, of: () => constant, toJson: () => constant }
  if (value !== undefined || context.inGroup !== true) {
    const computed = context.inGroup === true ? ', or computed from fields of the key' : ''
    throw new Refusal(context.where, `is ${WANTED}${computed}`)
  }
  return {
    constant: undefined,
    of: key => {
      const root = isDocument(key) ? key : {}
      const count = countOf(evaluateExpression(parsed, { root, variables: new Map(), now: new Date(0) }))
      if (count === undefined) throw new ExpressionError(name, `needs ${WANTED} as n`)
      return count
    },
    toJson: () => expressionToJson(parsed),
  }
}
