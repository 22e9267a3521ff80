import type { Fragment } from '../compile/sql.js'
import type { SqlType } from '../compile/types.js'
import type { OperatorDoc } from '../operator-doc.js'
import type { ParseContext } from '../parse-context.js'
import type { FieldPath } from '../path.js'
import type { Value } from '../value.js'
import type { Condition } from './condition.js'
import type { Leaf } from './leaf.js'

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
