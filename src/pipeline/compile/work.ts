import type { Expression } from '../tree.js'
import { bulkOf } from './bulk.js'
import type { SqlExpression } from './types.js'

/**
 * Most parts of values that one expression looks at in a row. The engine computes an expression for 2,048 rows without a
 * pause to be interrupted in, about 30 ns a part: more is evaluated, where the time is watched. It differs from Bulk,
 * which is what there is at once: the length of a list made for each element of a list holds next to nothing.
 */
export const MOST_WORK = 30_000

/** Most parts that all columns of a stage look at in a row. */
export const MOST_ROW_WORK = 60_000

/** What a stored list is taken to hold when it is gone through, more for being gone through within another. */
const STORED_ITEMS = 32

/** Operators that compute something for each element of their first operand; what, comes last. */
const EACH = new Set(['$map', '$filter', '$reduce'])

/** Operators that compare each element with all others, forty of them in the time of one part. */
const PAIRS = new Set(['$setDifference', '$setIntersection', '$setUnion'])
const PAIRS_A_PART = 40

const workOf = ({ work }: SqlExpression): number => work ?? 0

/** The parts that computing an expression looks at; `operands` as they were compiled, in their order. */
export function workIn(expression: Expression, operands: readonly SqlExpression[]): number {
  const [input] = operands
  if (expression.kind === 'call' && EACH.has(expression.operator) && input !== undefined) {
    const items = input.bulk?.items ?? STORED_ITEMS
    const each = Math.max(0, ...operands.slice(1).map(workOf))
    return workOf(input) + items * (1 + each)
  }
  const inner = operands.reduce((sum, one) => sum + workOf(one), 0)
  if (expression.kind !== 'call') return inner
  if (PAIRS.has(expression.operator)) {
    const items = operands.reduce((sum, one) => sum + (one.bulk?.items ?? STORED_ITEMS), 0)
    return inner + Math.ceil((items * items) / PAIRS_A_PART)
  }
  return operands.reduce((sum, one) => sum + bulkOf(one).size, inner)
}
