import { type Fragment, sql } from './sql.js'
import type { SqlExpression } from './types.js'

/**
 * Whether all of the numbers are integers in a row: 'always', 'never', or SQL where only the row tells; `undefined`
 * where not even that does.
 */
export function allIntegers(operands: readonly SqlExpression[]): 'always' | 'never' | Fragment | undefined {
  let found: Fragment | undefined
  for (const { type, isInt } of operands) {
    if (type.kind !== 'double') continue
    if (type.mixed === undefined) return 'never'
    if (isInt === undefined) return undefined
    found = found === undefined ? isInt : sql`(${found} and ${isInt})`
  }
  return found ?? 'always'
}

/** The bits of the widest integer a number may be. */
export function integerBits({ type }: SqlExpression): number {
  if (type.kind === 'int') return type.bits
  return type.kind === 'double' ? (type.mixed ?? 0) : 0
}

/** The widest integers that a double holds exactly. */
export const DOUBLE_BITS = 53

/** Largest integers the engine computes with; MongoDB widens to doubles at 64 bits. */
export const EXACT_BITS = 62
