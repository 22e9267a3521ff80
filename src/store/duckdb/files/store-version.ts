import type { DuckDBConnection } from '@duckdb/node-api'

/** The version of an open store; 0 for a file without tables. */
export async function storeVersion(connection: DuckDBConnection): Promise<number> {
  const tables = await connection.runAndReadAll(`select count(*) from duckdb_tables() where table_name = 'migrations'`)
  if (tables.getRowsJS()[0]?.[0] === 0n) return 0
  const versions = await connection.runAndReadAll('select coalesce(max(version), 0) from migrations')
  return Number(versions.getRowsJS()[0]?.[0])
}
