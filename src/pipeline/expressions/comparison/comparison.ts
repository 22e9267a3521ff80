import { compareValuesSql, testValuesSql } from '../../compile/compare-values-sql.js'
import { sql } from '../../compile/sql.js'
import { compareInExpression } from '../../order.js'
import { BOOL } from '../../given-type.js'
import type { Expression } from '../../tree.js'
import type { DatesKnown } from '../dates-known.js'
import { eager } from '../eager.js'
import type { ExpressionDoc } from '../expression-doc.js'
import type { ExpressionOperator } from '../expression-operator.js'
import { adviseBeside } from './advise-beside.js'
import { adviseMissing } from './advise-missing.js'
import { textAsDate } from './text-as-date.js'

interface ComparisonDefinition {
  readonly name: string
  /** The orders (-1, 0, 1) for which it holds. */
  readonly holds: readonly number[]
  readonly doc: ExpressionDoc
}

/** An ISO string beside what is known to be a date is one (rule "dates and texts"). */
export function datesBeside(operands: readonly Expression[], { isDate }: DatesKnown): readonly Expression[] {
  return operands.some(isDate) ? operands.map(textAsDate) : operands
}

const YES = sql`true`
const NO = sql`false`

/**
 * A comparison of two values in the total order of types; arrays are compared as they are, not walked
 * (rules "order of types" and "arrays in expressions").
 */
export function comparison({ name, holds, doc }: ComparisonDefinition): ExpressionOperator {
  const outcome = (order: number) => (holds.includes(order) ? YES : NO)
  const outcomes = { less: outcome(-1), equal: outcome(0), greater: outcome(1) }
  return eager({
    name,
    doc,
    arity: [2, 2],
    prepare: datesBeside,
    advise: (operands, context) => {
      adviseBeside(name, operands, context)
      adviseMissing(name, operands, context)
    },
    gives: () => BOOL,
    evaluate: (a, b) => holds.includes(compareInExpression(a, b)),
    sql: ([a, b]) => {
      const compared = a && b && compareValuesSql(a, b, outcomes)
      const test = compared && testValuesSql(a, b, outcomes)
      return compared && { sql: compared, type: { kind: 'bool', absent: 'never' }, ...(test && { test }) }
    },
  })
}
