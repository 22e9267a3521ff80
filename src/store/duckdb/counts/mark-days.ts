import type { DuckDBConnection } from '@duckdb/node-api'

/**
 * Takes days off the list of those that are counted, and what is being counted of them too, in the transaction that changes their calls:
 * what is not on it is counted from calls. Whoever changes calls marks the days they were in and those they are in. A call before all of them takes the
 * first one: as long as that is there, whoever knew of no call before it need not look again.
 */

export async function anyCounted(connection: DuckDBConnection, projectId: string): Promise<boolean> {
  const found = await connection.runAndReadAll(
    `select 1 from counted_days where project_id = $1
     union all select 1 from times_being_counted where project_id = $1 limit 1`,
    [projectId],
  )
  return found.currentRowCount > 0
}

/** The days of calls that are about to go. @param table their project_id and created_dt */
export async function markDaysOf(connection: DuckDBConnection, projectId: string, table: string): Promise<void> {
  await markDays(connection, projectId, { from: table, which: 'true' })
}

/** The days of the calls that a write put where they stand. */
export async function markDaysWritten(connection: DuckDBConnection, projectId: string, write: bigint): Promise<void> {
  if (!(await anyCounted(connection, projectId))) return
  await markDays(connection, projectId, { which: 'write_number = $2' }, [write])
}

/** The days of the calls between two places. */
export async function markDaysBetween(
  connection: DuckDBConnection,
  projectId: string,
  { from, to }: { readonly from: bigint; readonly to: bigint },
): Promise<void> {
  if (!(await anyCounted(connection, projectId))) return
  await markDays(connection, projectId, { which: 'rowid >= $2 and rowid <= $3' }, [from, to])
}

async function markDays(
  connection: DuckDBConnection,
  projectId: string,
  { from = 'calls', which }: { readonly from?: string; readonly which: string },
  values: readonly bigint[] = [],
): Promise<void> {
  const times = `select distinct created_dt from ${from} where project_id = $1 and ${which}`
  const within = 'project_id = $1 and changed.created_dt >= from_at and changed.created_dt < until_at'
  await connection.run(`delete from times_being_counted using (${times}) as changed where ${within}`, [
    projectId,
    ...values,
  ])
  await connection.run(
    `delete from counted_days using (
       select greatest(created_dt, (select min(from_at) from counted_days where project_id = $1)) as created_dt
       from (${times})) as changed
     where ${within}`,
    [projectId, ...values],
  )
}
