import type { Document } from '../value.js'
import type { Param } from './sql.js'

/** One statement for the engine: text and parameters ($1, $2 …), and how a row of its result becomes a document. */
export interface CompiledQuery {
  readonly sql: string
  readonly params: readonly Param[]
  /** A LIMIT may be written behind its text. */
  readonly unlimited?: true
  /**
   * A row as `getRowsJS` of the DuckDB client gives it, to a document; `undefined` for a row that is none. Throws the
   * error that an expression of the pipeline raised.
   */
  decode(row: readonly unknown[]): Document | undefined
}
