import type { DuckDBConnection, DuckDBPreparedStatement } from '@duckdb/node-api'

/** Statements of a connection that are kept. A question has a few texts, whatever its values, which are parameters. */
const MOST = 64

const kept = new WeakMap<DuckDBConnection, Map<string, DuckDBPreparedStatement>>()

/**
 * A statement, prepared once for each connection: reading its text and planning it for unknown values take the
 * engine as long as many a query itself, the former in this thread. Of a statement that is asked again what was bound
 * before stays until it is bound anew. The engine itself plans it again when a table has changed.
 */
export async function preparedStatement(connection: DuckDBConnection, sql: string): Promise<DuckDBPreparedStatement> {
  const statements = kept.get(connection) ?? new Map<string, DuckDBPreparedStatement>()
  kept.set(connection, statements)
  const found = statements.get(sql) ?? (await connection.prepare(sql))
  // The one that was asked last stands last.
  statements.delete(sql)
  statements.set(sql, found)
  for (const [oldest, statement] of statements) {
    if (statements.size <= MOST) break
    statements.delete(oldest)
    statement.destroySync()
  }
  return found
}
