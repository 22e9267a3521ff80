import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'

/** Rows of each table. */
export type RowCounts = Readonly<Record<string, number>>

/**
 * The rows of every table of an open store.
 * @param reads how far rows are read: counting alone looks at few blocks of a file, and says nothing of the others
 */
export async function countTables(
  connection: DuckDBConnection,
  reads: 'counts' | 'whole' = 'counts',
): Promise<RowCounts> {
  const tables = await connection.runAndReadAll(
    `select table_name from duckdb_tables() where database_name = 'earshot' and not temporary order by table_name`,
  )
  const counts: Record<string, number> = {}
  for (const name of tables.getRowsJS().map(([found]) => found as string)) {
    // A value of each column, of which the engine keeps the first and looks at all: each block with its checksum (some 3 µs a call).
    const what = reads === 'whole' ? 'count(*), any_value(columns(*))' : 'count(*)'
    const found = await connection.runAndReadAll(`select ${what} from "${name.replaceAll('"', '""')}"`)
    counts[name] = Number(found.getRowsJS()[0]?.[0])
  }
  return counts
}

/**
 * The same of a copied store, which nobody has open; every row is read whole. It is not changed. Rejects with the engine's error,
 * also where a block is not as it was written.
 */
export async function countRows(file: string): Promise<RowCounts> {
  const instance = await DuckDBInstance.create(':memory:', { memory_limit: '256MB', threads: '1' })
  try {
    const connection = await instance.connect()
    await connection.run(`attach '${file.replaceAll("'", "''")}' as earshot (read_only)`)
    await connection.run('use earshot')
    const counts = await countTables(connection, 'whole')
    connection.closeSync()
    return counts
  } finally {
    instance.closeSync()
  }
}
