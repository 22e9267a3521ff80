import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { Problem } from '../../../base/problem.js'
import { wantsMemory } from '../engine-problem.js'

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

/** 2,048 rows are unpacked at once: calls of half an hour take so much. What takes more gets what the machine has, four fifths of it at most. */
const USUAL_MEMORY = '256MB'

/**
 * The same of a copied store, which nobody has open; every row is read whole. It is not changed.
 * @returns undefined where it can't be read to its end, as where a block is not as it was written
 * @throws Problem `too_large` where that takes more memory than there is
 */
export async function countRows(file: string): Promise<RowCounts | undefined> {
  try {
    return await countWith(file, { memory_limit: USUAL_MEMORY }).catch(async (error: unknown) => {
      if (!wantsMemory(error)) throw error
      return await countWith(file, {})
    })
  } catch (error) {
    if (!wantsMemory(error)) return undefined
    throw new Problem(
      'too_large',
      'Reading the copy to its end takes more memory than this machine has to give: its calls are long, and 2,048 of them are read at once',
    )
  }
}

async function countWith(file: string, memory: { readonly memory_limit?: string }): Promise<RowCounts> {
  const instance = await DuckDBInstance.create(':memory:', { ...memory, threads: '1' })
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
