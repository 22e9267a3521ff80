import type { Fragment } from '../compile/sql.js'
import type { SqlType } from '../compile/types.js'
import type { OperatorDoc } from '../operator-doc.js'
import type { ParseContext } from '../parse-context.js'
import type { FieldPath } from '../path.js'
import type { Value } from '../value.js'
import type { Condition } from './condition.js'

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
  /** Argument as MongoDB's JSON. */
  readonly json: unknown
}

/** What a leaf operator sees while it parses. */
export interface LeafContext {
  readonly parse: ParseContext
  readonly path: FieldPath
  /** The record's schema says the field is a date: ISO strings are read as dates. */
  readonly isDate: boolean
  /** The other operators of the same object, as $regex and $options stand together. */
  readonly siblings: Readonly<Record<string, unknown>>
  /** A condition on the elements of an array ($elemMatch, $all). */
  parseElement(json: unknown, context: ParseContext): ElementCondition
}

/** A condition on an element, as a document or as a value. */
export interface ElementCondition {
  test(value: Value | undefined): boolean
  sql(value: Fragment, type: SqlType): Fragment | undefined
  readonly json: unknown
}

export interface LeafOperator {
  readonly name: string
  readonly doc: OperatorDoc
  /** A leaf, or conditions of which each walks the path for itself ($all). */
  parse(argument: unknown, context: LeafContext): Leaf | Condition
}
