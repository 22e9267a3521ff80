import type { DuckDBConnection } from '@duckdb/node-api'
import { randomBytes } from 'node:crypto'

/**
 * The secret that keys the hashes of erased ids. It lives in the store and not in a file of its own, so that a backup
 * always holds both: without it erased calls could come back unnoticed.
 */
export async function erasureSecret(connection: DuckDBConnection): Promise<string> {
  await connection.run(`insert or ignore into secrets values ('erasure', $1)`, [randomBytes(32).toString('hex')])
  const rows = await connection.runAndReadAll(`select secret from secrets where name = 'erasure'`)
  return rows.getRowsJS()[0]?.[0] as string
}
