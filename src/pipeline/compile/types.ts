import type { FieldType } from '../../calls/field-type.js'
import type { Value } from '../value.js'
import type { Fragment } from './sql.js'

/**
 * What SQL NULL means in a column: the value can't be absent, it is missing from the document, it is null, or one can't
 * tell. Operators that treat missing and null alike stay exact over `either`; what would show the difference does not.
 */
export type Absent = 'never' | 'missing' | 'null' | 'either'

/** The static type of a compiled expression: what it holds when it is not NULL, and what NULL means. */
export type SqlType = SqlKind & { readonly absent: Absent }

export type SqlKind =
  | { readonly kind: 'string' | 'bool' }
  /** `bounded` when it lies, in any time zone, in years that are written with four digits. */
  | { readonly kind: 'date'; readonly bounded?: true }
  /** A JSON value of any shape; `object` when it is known to be an object. */
  | { readonly kind: 'open'; readonly object?: true }
  /**
   * A double; `finite` when it can be neither NaN nor infinite, `bounded` when sums of it can't be either. With `mixed`
   * some rows hold an integer instead, of at most so many bits: which, only `isInt` of the expression tells.
   */
  | { readonly kind: 'double'; readonly finite: boolean; readonly bounded?: true; readonly mixed?: number }
  /**
   * An integer, kept as BIGINT; `bits` bounds its magnitude so that sums can't overflow unnoticed. It is an int when it
   * fits 32 bits and a long otherwise, except where `long` says that it is always a long. Beyond 64 bits (a HUGEINT) it
   * is a double.
   */
  | { readonly kind: 'int'; readonly bits: number; readonly long?: true }
  | { readonly kind: 'list'; readonly of: SqlType }
  | { readonly kind: 'struct'; readonly fields: ReadonlyMap<string, SqlType> }
  /** A value of one of several types: a document of one field for each (see opaque.ts), of which one is there. */
  | { readonly kind: 'varied'; readonly of: readonly SqlType[] }
  /** A document whose names the data tells: a list of {k, v}. */
  | { readonly kind: 'pairs'; readonly of: SqlType }
  /** Documents laid over one another when they are given out: a document of one field for each (see opaque.ts). */
  | { readonly kind: 'merged'; readonly of: readonly SqlType[] }
  /** Nothing but NULL: a field that does not exist, or the literal null. */
  | { readonly kind: 'nothing' }

/** What the engine passes on without looking into it: see opaque.ts. */
export type OpaqueKind = 'varied' | 'pairs' | 'merged'

export const isOpaqueKind = (kind: SqlKind['kind']): kind is OpaqueKind =>
  kind === 'varied' || kind === 'pairs' || kind === 'merged'

/** The fields of a document by themselves, to be read without making the document first. */
export type Parts = ReadonlyMap<string, SqlExpression>

/**
 * What is quicker to make than a value and tells as much: rows with the same of it have the same value, those with
 * another another. NULL where the value is NULL.
 */
export interface GroupedBy {
  readonly sql: Fragment
  /** The value, from that. */
  value(key: Fragment): Fragment
}

/**
 * How much a value may hold, as far as its expression tells: elements of the list it is, and parts in all, where a
 * number is one part and a stored text a few. Guesses, on the safe side where an operator multiplies: the engine
 * computes 2,048 rows at once, in memory that its limit does not count and without a pause to be interrupted in.
 */
export interface Bulk {
  readonly items: number
  readonly size: number
}

export interface SqlExpression {
  readonly sql: Fragment
  readonly type: SqlType
  /** Of a document that was made field by field; where it is NULL they are NULL too. */
  readonly parts?: Parts
  /** Of an open value: one of its fields, taken out once however often it is read; `undefined` as in openFieldSql. */
  readonly field?: (name: string) => Fragment | undefined
  /** The number it is, when it is a literal one. */
  readonly constant?: number
  /** The value it is, when it is a literal. */
  readonly literal?: Value
  /** For a mixed number: true in the rows that hold an integer. */
  readonly isInt?: Fragment
  /** Where NULL means `either`: true in the rows where it means null, if that can be told. */
  readonly isNull?: Fragment
  /**
   * The sentence of the error that MongoDB raises for this row, NULL where it raises none. `sql` itself never raises in
   * the engine: where this is not NULL its value does not matter.
   */
  readonly fails?: Fragment
  /** Of a list that an empty one stands in for where it is not there: the list, NULL where it is not there. */
  readonly orNull?: Fragment
  /** Of a truth that is never NULL: the same as a condition, which may be NULL where it is false. */
  readonly test?: Fragment
  /** Of a list: where it is there it has at least one element. */
  readonly filled?: true
  /** Of a list of documents: their fields, each as a list of as many values, to be read without the documents. */
  readonly elements?: Parts
  /** What rows may be grouped by in its place: see GroupedBy. */
  readonly groupedBy?: GroupedBy
  /** How much it may hold, where that is known to differ from what is stored in fields of its type. */
  readonly bulk?: Bulk
  /** How many parts of values computing it looks at: see MOST_WORK. */
  readonly work?: number
}

/** The type of a stored field. Elements of stored lists are never absent. */
export function storedType(type: FieldType, absent: Absent): SqlType {
  switch (type.kind) {
    case 'string':
    case 'bool':
    case 'open':
      return { kind: type.kind, absent }
    case 'date':
      return { kind: 'date', ...(type.bounded && { bounded: true }), absent }
    case 'double':
      return { kind: 'double', finite: true, ...(type.bounded && { bounded: true }), absent }
    case 'int':
      return { kind: 'int', ...(type.long === true ? { bits: 62, long: true as const } : { bits: 31 }), absent }
    case 'list':
      return { kind: 'list', of: storedType(type.of, 'never'), absent }
    case 'struct':
      return {
        kind: 'struct',
        fields: new Map(
          [...type.fields].map(([name, field]) => [
            name,
            storedType(field, type.required?.has(name) === true ? 'never' : 'missing'),
          ]),
        ),
        absent,
      }
  }
}

/** Whether no sum of such numbers is infinite or NaN: a hugeint has a magnitude below 2^127. */
export function isBounded(type: SqlType): boolean {
  return type.kind === 'int' || (type.kind === 'double' && type.bounded === true)
}

/** What NULL means where either of two sources may give it. */
export function joinAbsent(a: Absent, b: Absent): Absent {
  if (a === b || b === 'never') return a
  return a === 'never' ? b : 'either'
}

/** Whether NULL may mean missing or null and nothing tells which. */
export function isUnclear({ type, isNull }: SqlExpression): boolean {
  return type.absent === 'either' && isNull === undefined
}

/** The same type with another meaning of NULL. */
export function withAbsent(type: SqlType, absent: Absent): SqlType {
  return { ...type, absent }
}
