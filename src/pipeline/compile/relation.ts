import type { Bulk, Parts, SqlType } from './types.js'
import type { Rows } from './rows.js'
import type { Fragment } from './sql.js'

/** A field of the documents at a stage, and the SQL that reads it from the stage's rows. */
export interface Column {
  readonly name: string
  readonly sql: Fragment
  readonly type: SqlType
  /** For a mixed number: see SqlExpression. */
  readonly isInt?: Fragment
  /** For what may be null or missing: see SqlExpression. */
  readonly isNull?: Fragment
  /** For a document made of fields: see SqlExpression. */
  readonly parts?: Parts
  /** For a list of documents: see SqlExpression. */
  readonly elements?: Parts
  /** Of an open column: see SqlExpression. */
  readonly field?: (name: string) => Fragment | undefined
  /**
   * It was set where a document may have lacked it: then it is the last field in MongoDB, and here it keeps its place. Only
   * who looks at the document as a whole sees a difference.
   */
  readonly late?: true
  /**
   * It is the whole document, whose fields only the data tells: the only column there is, which the engine gives out and no
   * stage looks into.
   */
  readonly root?: true
  /** Computing it makes rows, as unnesting does: it is computed although nothing reads it. */
  readonly makesRows?: true
  /** `sql` gives the text of the value's JSON; only of columns that a statement gives out. */
  readonly text?: true
  /** The sentence of an error computing it raises, over the rows of the step's FROM; a step takes it as a check. */
  readonly fails?: Fragment
  /** How much it may hold: see SqlExpression. */
  readonly bulk?: Bulk
  /** Of a column that a step computes: see SqlExpression. */
  readonly work?: number
}

/** A sort key that rides along so that later stages keep the order: NULLs placed by us, never by the engine's default. */
export interface OrderKey {
  readonly sql: Fragment
  readonly descending: boolean
  /** The keys of an order that say so tell every row from every other, together. */
  readonly identifies?: true
  /** Groups are told apart by it. */
  readonly ofGroups?: true
}

/**
 * The rows a stage yields: `from` reads them (from the scan or a common table expression), `columns` are the documents'
 * fields in their order.
 */
export interface Relation {
  readonly from: Rows
  readonly columns: readonly Column[]
  /** The order of the rows, most significant key first: total; empty where there is one row at most. */
  readonly order: readonly OrderKey[]
  /** The same rows before the first so many were passed over, for a limit that follows: the engine takes both at once. */
  readonly skipped?: { readonly rows: Relation; readonly count: number }
  /** The rows are elements of a JSON array: the value whose fields they are, in place of columns. */
  readonly open?: Fragment
}

/** One step of the statement: what it selects from which rows. */
export interface StepQuery {
  readonly columns: readonly Column[]
  readonly from: Rows
  readonly order: Relation['order']
  /** What follows FROM and WHERE: GROUP BY, HAVING, ORDER BY, LIMIT. */
  readonly tail?: Fragment
  /** Its tail puts the rows in the order of the relation and ends them: a selection of the rows may do the same. */
  readonly limited?: true
  /** The rows are computed once and kept, always or when several parts of the statement read them. */
  readonly materialized?: 'always' | 'when shared'
}
