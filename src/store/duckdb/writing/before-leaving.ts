import type { DuckDBConnection } from '@duckdb/node-api'
import { anyCounted, markDaysOf } from '../counts/mark-days.js'
import { anyIndexed, dropSegments } from '../words/drop-words.js'
import { segmentOf } from '../words/segments.js'

/**
 * What is derived of calls goes in the transaction that they go in, and before they do: the days they were on are not counted any
 * more, and the words of their segments are gone. They are looked for once for both: what a statement returns of rows that it
 * deletes is read with all of their columns.
 * @param found the condition that a call is of the table
 */
export async function beforeLeaving(
  connection: DuckDBConnection,
  projectId: string,
  { table, found }: { readonly table: string; readonly found: string },
): Promise<void> {
  const isCounted = await anyCounted(connection, projectId)
  const isIndexed = await anyIndexed(connection, projectId)
  if (!isCounted && !isIndexed) return
  await connection.run(
    `create or replace temp table leaving_calls as
     select distinct project_id, created_dt, write_number, ${segmentOf('place')} as segment from calls, ${table}
     where project_id = $1 and ${found}`,
    [projectId],
  )
  if (isCounted) await markDaysOf(connection, projectId, 'leaving_calls')
  if (isIndexed) await dropSegments(connection, projectId, 'select segment from leaving_calls where project_id = $1')
}
