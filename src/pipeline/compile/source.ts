import type { FieldType } from '../../calls/field-type.js'
import type { Scope } from '../scope.js'
import type { FoundTexts } from '../tree.js'
import type { Fragment } from './sql.js'

/** A column of the table the pipeline starts from, seen by callers under `name`. */
export interface SourceColumn {
  readonly name: string
  /** The SQL that reads it, such as a quoted column name. */
  readonly sql: string
  readonly type: FieldType
  /** Whether every call has it; else NULL means missing. */
  readonly required: boolean
  /** An open field that always holds an object. */
  readonly isObject?: boolean
  /** What of it whoever sees no text sees: all, nothing, or what some SQL leaves of it. */
  readonly withoutText: 'same' | 'missing' | { readonly sql: string; readonly type: FieldType }
}

/** The physical table a pipeline starts from. */
export interface Source {
  /** Its name, or what makes its rows of those that meet the restriction: in each place where any are read. */
  readonly table: string | ((restriction: Fragment) => Fragment)
  /** Quoted physical columns the narrowing compares. */
  readonly projectColumn: string
  readonly agentColumn: string
  readonly startColumn: string
  /** The record's fields, in order; `_id` and session_id read the same column. */
  readonly columns: readonly SourceColumn[]
  /** Derived fields that only our own questions may name. */
  readonly derived: readonly SourceColumn[]
  /** SQL of the keys that its rows come in the order of, ascending and never NULL; the last tells each from every other. */
  readonly order: readonly string[]
  /** How one session is found quickly, where there is a way. */
  readonly lookup?: Lookup
  /**
   * Another way to the rows whose texts hold patterns than to read them all: the rows that meet the restriction and hold all of the
   * patterns; those that do not compare as they must may be left out. `undefined` where it has none to these.
   */
  finding?(texts: FoundTexts, restriction: Fragment, scope: Scope): Fragment | undefined
}

export interface Lookup {
  /** A condition on a short column that next to no rows but the session's meet, given its id as a parameter: added to the equality. */
  key(id: Fragment): Fragment
  /** A quoted column whose value, an integer, few rows share, all in one block or next to each other. */
  readonly place: string
  /**
   * Another way to the places than by the table: a statement of rows of a place, and whether the session may stand there. Where it may not,
   * the place is looked at all the same, so that who asks can't tell by the time what is there.
   * @param condition that a row of the table is the session's, and one its asker may hear
   */
  places?(id: Fragment, condition: Fragment, scope: Scope): Fragment
}
