import type { DuckDBConnection, DuckDBPreparedStatement } from '@duckdb/node-api'

/** Statements of a connection that are kept. A question has a few texts, whatever its values, which are parameters. */
const MOST = 64

const kept = new WeakMap<DuckDBConnection, Map<string, DuckDBPreparedStatement>>()

/**
 * A statement, prepared once for each connection: reading its text and planning it for unknown values take the
 * engine a millisecond or more, the former in this thread. Of a statement that is asked again what was bound before stays
 * until it is bound anew. The engine plans it again for the values it is given, so that blocks of rows can be passed over.
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
