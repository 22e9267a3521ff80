import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'

/** Rows of each table. */
export type RowCounts = Readonly<Record<string, number>>

/** The rows of every table of an open store. */
export async function countTables(connection: DuckDBConnection): Promise<RowCounts> {
  const tables = await connection.runAndReadAll(
    `select table_name from duckdb_tables() where database_name = 'earshot' and not temporary order by table_name`,
  )
  const counts: Record<string, number> = {}
  for (const name of tables.getRowsJS().map(([found]) => found as string)) {
    const found = await connection.runAndReadAll(`select count(*) from "${name.replaceAll('"', '""')}"`)
    counts[name] = Number(found.getRowsJS()[0]?.[0])
  }
  return counts
}

/** The same of a copied store, which nobody has open. It is not changed. Rejects with the engine's error. */
export async function countRows(file: string): Promise<RowCounts> {
  const instance = await DuckDBInstance.create(':memory:', { memory_limit: '256MB', threads: '1' })
  try {
    const connection = await instance.connect()
    await connection.run(`attach '${file.replaceAll("'", "''")}' as earshot (read_only)`)
    await connection.run('use earshot')
    const counts = await countTables(connection)
    connection.closeSync()
    return counts
  } finally {
    instance.closeSync()
  }
}
