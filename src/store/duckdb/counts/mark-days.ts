import type { DuckDBConnection } from '@duckdb/node-api'

/**
 * Takes days off the list of those that are counted, and what is being counted of them too, in the transaction that changes their calls:
 * what is not on it is counted from calls. Whoever changes calls marks the days they were in and those they are in. A call before all of
 * them takes the first one: as long as that is there, whoever knew of no call before it need not look again.
 */

export async function anyCounted(connection: DuckDBConnection, projectId: string): Promise<boolean> {
  return (
    (await isAny(connection, projectId, 'counted_days')) || (await isAny(connection, projectId, 'times_being_counted'))
  )
}

async function isAny(
  connection: DuckDBConnection,
  projectId: string,
  table: 'counted_days' | 'times_being_counted',
): Promise<boolean> {
  const found = await connection.runAndReadAll(`select 1 from ${table} where project_id = $1 limit 1`, [projectId])
  return found.currentRowCount > 0
}

/** The days of calls that are about to go. @param table their project_id, created_dt and write_number */
export async function markDaysOf(connection: DuckDBConnection, projectId: string, table: string): Promise<void> {
  await markDays(connection, projectId, { from: table, which: 'true' })
}

/**
 * The days of calls that are about to stand under a later number, without a change that counts: where calls still come to, they would be
 * counted twice.
 * @param found the condition that a call is of the table
 */
export async function markOpenDaysOf(
  connection: DuckDBConnection,
  projectId: string,
  { table, found }: { readonly table: string; readonly found: string },
): Promise<void> {
  if (!(await anyCounted(connection, projectId))) return
  await markDays(connection, projectId, { from: `calls, ${table}`, which: found, days: 'counted_to is not null' })
}

/** The days of the calls that a write put where they stand. @param stood the least number that they stood under before, where they did */
export async function markDaysWritten(
  connection: DuckDBConnection,
  projectId: string,
  write: bigint,
  stood?: bigint,
): Promise<void> {
  if (!(await anyCounted(connection, projectId))) return
  await markDays(connection, projectId, { which: 'write_number = $2', stood }, [write])
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

interface Changed {
  /** What has the calls, and which of them. */
  readonly from?: string
  readonly which: string
  /** The least number that they stood under; that of each by default, where it stands. */
  readonly stood?: bigint | undefined
  /** Of which days. */
  readonly days?: string
}

/** A day that calls still come to counts up to a write: calls of later ones change nothing of that. */
async function markDays(
  connection: DuckDBConnection,
  projectId: string,
  { from = 'calls', which, stood, days = 'true' }: Changed,
  values: readonly bigint[] = [],
): Promise<void> {
  const calls = `select distinct created_dt, ${stood ?? 'write_number'} as stood from ${from} where project_id = $1 and ${which}`
  const within = `project_id = $1 and changed.created_dt >= from_at and changed.created_dt < until_at
    and (counted_to is null or changed.stood <= counted_to) and ${days}`
  // Mostly nothing is: to look for the calls takes ten milliseconds among ten millions.
  if (await isAny(connection, projectId, 'times_being_counted'))
    await connection.run(`delete from times_being_counted using (${calls}) as changed where ${within}`, [
      projectId,
      ...values,
    ])
  await connection.run(
    `delete from counted_days using (
       select greatest(created_dt, first) as created_dt, case when created_dt < first then -1 else stood end as stood
       from (${calls}), (select min(from_at) as first from counted_days where project_id = $1)) as changed
     where ${within}`,
    [projectId, ...values],
  )
}
