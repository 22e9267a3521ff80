import type { FieldType } from '../../calls/field-type.js'
import type { Fragment } from './sql.js'

/**
 * What SQL NULL means in a column: the value can't be absent, it is missing from the document, it is null, or one can't
 * tell. Operators that treat missing and null alike stay exact over `either`; what would show the difference does not.
 */
export type Absent = 'never' | 'missing' | 'null' | 'either'

/** The static type of a compiled expression: what it holds when it is not NULL, and what NULL means. */
export type SqlType = SqlKind & { readonly absent: Absent }

export type SqlKind =
  | { readonly kind: 'string' | 'bool' | 'date' | 'open' }
  /** A double; `finite` when it can be neither NaN nor infinite. */
  | { readonly kind: 'double'; readonly finite: boolean }
  /** An integer, kept as BIGINT; `bits` bounds its magnitude so that sums can't overflow unnoticed. */
  | { readonly kind: 'int'; readonly bits: number }
  | { readonly kind: 'list'; readonly of: SqlType }
  | { readonly kind: 'struct'; readonly fields: ReadonlyMap<string, SqlType> }
  /** Nothing but NULL: a field that does not exist, or the literal null. */
  | { readonly kind: 'nothing' }

export interface SqlExpression {
  readonly sql: Fragment
  readonly type: SqlType
  /** The number it is, when it is a literal one. */
  readonly constant?: number
}

/** The type of a stored field. Elements of stored lists are never absent. */
export function storedType(type: FieldType, absent: Absent): SqlType {
  switch (type.kind) {
    case 'string':
    case 'bool':
    case 'date':
    case 'open':
      return { kind: type.kind, absent }
    case 'double':
      return { kind: 'double', finite: true, absent }
    case 'int':
      return { kind: 'int', bits: 31, absent }
    case 'list':
      return { kind: 'list', of: storedType(type.of, 'never'), absent }
    case 'struct':
      return {
        kind: 'struct',
        fields: new Map([...type.fields].map(([name, field]) => [name, storedType(field, 'missing')])),
        absent,
      }
  }
}

/** What NULL means where either of two sources may give it. */
export function joinAbsent(a: Absent, b: Absent): Absent {
  if (a === b || b === 'never') return a
  return a === 'never' ? b : 'either'
}

/** The same type with another meaning of NULL. */
export function withAbsent(type: SqlType, absent: Absent): SqlType {
  return { ...type, absent }
}
