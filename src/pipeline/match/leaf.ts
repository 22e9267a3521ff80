import type { Fragment } from '../compile/sql.js'
import type { SqlType } from '../compile/types.js'
import type { Comparison } from './compare-sql.js'
import type { Pattern } from '../pattern.js'
import type { Value } from '../value.js'

/**
 * A condition on one value at a path, such as `{$gt: 3}`. How paths walk through arrays is decided once, in
 * path-predicate.ts; a leaf only judges the values it is shown.
 */
export interface Leaf {
  /** Whether this value satisfies it; `undefined` is a missing field. */
  test(value: Value | undefined): boolean
  /** Whether elements of an array at the end of the path are judged too (most), or only the array itself ($size). */
  readonly elements: boolean
  /** The condition over a value of this type; `undefined` = not exact. NULL counts as false. */
  sql(value: Fragment, type: SqlType): Fragment | undefined
  /** The same for any element of a list, where the engine has a function for it; `undefined` = it has none. */
  readonly anySql?: ((list: Fragment, element: SqlType) => Fragment | undefined) | undefined
  /** The condition is met by exactly what its inner leaf does not meet ($ne, $nin): negated after the walk. */
  readonly negated?: boolean
  /** The one string it equals, when it is such a condition: what lookups go by. */
  readonly equals?: string
  /** What it compares with, when it is a comparison. */
  readonly compares?: { readonly op: Comparison; readonly operand: Value }
  /** The pattern that must be found, when it is such a condition. */
  readonly finds?: Pattern
  /** Argument as MongoDB's JSON. */
  readonly json: unknown
}
