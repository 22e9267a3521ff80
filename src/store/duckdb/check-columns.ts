import type { DuckDBConnection } from '@duckdb/node-api'
import { callColumnList } from './call-columns.js'

async function columnsOf(connection: DuckDBConnection, table: string): Promise<Map<string, string>> {
  const reader = await connection.runAndReadAll(
    `select column_name, data_type || if(is_nullable, '', ' NOT NULL') from duckdb_columns() where table_name = $1`,
    [table],
  )
  return new Map(reader.getRowsJS().map(([name, type]) => [name as string, type as string]))
}

/**
 * Checks that the table of calls has exactly the columns the record's schema asks for; the order is free. A difference
 * is a mistake of ours, a change of the record without a migration: it must show at start and not as a field that
 * stays empty.
 */
export async function checkColumns(connection: DuckDBConnection): Promise<void> {
  await connection.run(`create temp table wanted_calls (${callColumnList})`)
  const wanted = await columnsOf(connection, 'wanted_calls')
  await connection.run('drop table wanted_calls')
  const present = await columnsOf(connection, 'calls')
  const names = new Set([...wanted.keys(), ...present.keys()])
  const different = [...names].filter(name => wanted.get(name) !== present.get(name))
  if (different.length === 0) return
  const list = different.map(name => `${name}: ${present.get(name) ?? 'none'} -> ${wanted.get(name) ?? 'none'}`)
  throw new Error(`The record's schema changed without a migration of the table calls: ${list.join('; ')}`)
}
