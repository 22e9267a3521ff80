import type { DuckDBConnection } from '@duckdb/node-api'
import type { CompiledQuery, Document } from '../../../pipeline/index.js'
import { documentTooLarge } from '../../document-too-large.js'
import type { Deadline } from '../../deadline.js'
import { readRows } from './read-rows.js'
import { untilEnded } from './until-ended.js'

export interface QueryResult {
  readonly documents: readonly Document[]
  /** More rows existed than were given back. */
  readonly truncated: boolean
  /** As many as the JSON of the documents has at least. */
  readonly bytes: number
}

/** The document at hand would be more than may come back. */
const FULL = new Error('full')

/**
 * Runs a compiled query until the deadline ends and reads at most `maxRows` documents of it, and no more than have
 * `maxBytes` of JSON at least. Rejects where the first document alone is larger.
 */
export function runQuery(
  connection: DuckDBConnection,
  query: CompiledQuery,
  maxRows: number,
  deadline: Deadline,
  maxBytes = Infinity,
): Promise<QueryResult> {
  return untilEnded(connection, deadline, async () => {
    const documents: Document[] = []
    let bytes = 0
    const onBytes = (more: number) => {
      bytes += more
      if (bytes > maxBytes) throw FULL
    }
    try {
      for await (const rows of readRows(connection, query, maxRows + 1, deadline, onBytes)) {
        for (const row of rows) {
          const document = query.decode(row)
          if (document !== undefined) documents.push(document)
        }
      }
    } catch (error) {
      if (error !== FULL) throw error
      if (documents.length === 0) throw documentTooLarge(maxBytes)
      return { documents: documents.slice(0, maxRows), truncated: true, bytes }
    }
    return { documents: documents.slice(0, maxRows), truncated: documents.length > maxRows, bytes }
  })
}
