import { type DuckDBConnection, LIST, VARCHAR, listValue } from '@duckdb/node-api'

/** Puts ids into a temporary table of that name, replacing what was there. */
export async function stageIds(connection: DuckDBConnection, table: string, ids: readonly string[]): Promise<void> {
  await connection.run(
    `create or replace temp table ${table} as select unnest($1) as session_id`,
    [listValue([...ids])],
    [LIST(VARCHAR)],
  )
}
