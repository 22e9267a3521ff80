import type { DuckDBConnection } from '@duckdb/node-api'
import { ANY_SEGMENT, ROW_BITS, segmentOf } from './segments.js'

/** Whether any call of the project is found by its words. */
export async function anyIndexed(connection: DuckDBConnection, projectId: string): Promise<boolean> {
  const found = await connection.runAndReadAll(ANY_SEGMENT, [projectId])
  return found.currentRowCount > 0
}

/**
 * Takes the words of the segments away that calls are in, in the transaction that changes their texts and before it does: a word
 * that only one of them has goes with it. The other calls of a segment are searched by their texts until they are in a new one.
 * @param found the condition that a call is of the table
 */
export async function dropWordsAmong(
  connection: DuckDBConnection,
  projectId: string,
  { table, found }: { readonly table: string; readonly found: string },
): Promise<void> {
  if (!(await anyIndexed(connection, projectId))) return
  const among = `select ${segmentOf('place')} as segment from calls, ${table} where project_id = $1 and ${found}`
  await dropSegments(connection, projectId, among)
}

/** @param among names the segments, among rows of the project, which is $1 */
export async function dropSegments(connection: DuckDBConnection, projectId: string, among: string): Promise<void> {
  const rows = await connection.runAndReadAll(`select distinct segment from (${among}) where segment is not null`, [
    projectId,
  ])
  const segments = rows.getRowsJS().map(([segment]) => Number(segment))
  if (segments.length === 0) return
  for (const table of ['words', 'word_segments']) {
    // oxlint-disable-next-line no-await-in-loop -- one table after the other
    await connection.run(`delete from ${table} where project_id = $1 and segment in (${segments.join(', ')})`, [
      projectId,
    ])
  }
  const places = segments.map(one => `(place >= ${one << ROW_BITS} and place < ${(one + 1) << ROW_BITS})`)
  await connection.run(`update calls set place = null where project_id = $1 and (${places.join(' or ')})`, [projectId])
}
