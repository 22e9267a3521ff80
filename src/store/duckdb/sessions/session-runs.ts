import type { DuckDBConnection } from '@duckdb/node-api'
import { sessionKey } from '../call-columns.js'

/**
 * The session index says under which numbers of writes (see `writeNumber`) calls of a key may stand, so that one call is found without
 * looking at the keys of all, which lie among the other columns of every block. It is made of runs as in a log-structured merge tree:
 * each has the calls that stand under a range of numbers, in the order of their keys, some of them in a row. Runs follow each other
 * without a gap; what was written since the last of them is looked for among the calls.
 *
 * It holds all that is there, and may hold more: a call that is written anew stands under a number that only grows, and its old
 * entry leads nowhere until its run is made anew. What was erased goes at once.
 */

/** The numbers from one on and before another. */
export interface Numbers {
  readonly from: bigint
  readonly to: bigint
}

export interface SessionRun extends Numbers {
  readonly run: number
}

/** Entries of a row, on the average: next to no row has none, which would tell that a key is not there. */
const USUAL_ENTRIES = 16
/** Bits of a key. A row has those with the same leading ones; of one run at least two rows. */
const KEY_BITS = 64

/** Calls of the project under some numbers; $2 and $3 are these. */
const UNDER = 'from calls where project_id = $1 and write_number >= $2 and write_number < $3'

/** How many calls of the project stand under some numbers. */
export const COUNT_UNDER = `select count(*) ${UNDER}`
/** How many stand under a number or later ones, and the last of these. */
export const COUNT_SINCE = 'select count(*), max(write_number) from calls where project_id = $1 and write_number >= $2'
/** Runs of the project in the order of their numbers, with how many entries each has. */
export const RUNS = `select run, from_number, to_number, coalesce(entries, 0)
  from session_runs left join (select run, sum(len(entries)) as entries from session_entries where project_id = $1 group by run) using (run)
  where project_id = $1 order by from_number`
/** Before which number all calls of the project are in the index. */
export const INDEXED_TO = 'select coalesce(max(to_number), 0) from session_runs where project_id = $1'

/** Makes a run, in place of others where it is made of their numbers. */
export async function makeRun(
  connection: DuckDBConnection,
  projectId: string,
  { from, to }: Numbers,
  replaced: readonly SessionRun[] = [],
): Promise<void> {
  const numbers = [projectId, from, to]
  const found = await connection.runAndReadAll(COUNT_UNDER, numbers)
  const rows = Number(found.getRowsJS()[0]?.[0]) / USUAL_ENTRIES
  const shift = KEY_BITS - Math.max(1, Math.ceil(Math.log2(Math.max(1, rows))))
  if (replaced.length > 0) {
    const runs = replaced.map(({ run }) => run).join(', ')
    await connection.run(`delete from session_entries where project_id = $1 and run in (${runs})`, [projectId])
    await connection.run(`delete from session_runs where project_id = $1 and run in (${runs})`, [projectId])
  }
  const last = await connection.runAndReadAll('select max(run) from session_runs where project_id = $1', [projectId])
  const run = Number(last.getRowsJS()[0]?.[0] ?? -1) + 1
  await connection.run(
    `insert into session_entries
     select $1, ${run}, bits << ${shift}, (bits << ${shift}) + ${(1n << BigInt(shift)) - 1n}, entries from (
       select session_key >> ${shift} as bits, list({ "key": session_key, "number": write_number::integer }) as entries
       ${UNDER} group by bits)
     order by bits`,
    numbers,
  )
  await connection.run(`insert into session_runs values ($1, ${run}, $2, $3, ${shift})`, numbers)
}

/** A table, and its column of ids of calls. */
interface Ids {
  readonly table: string
  readonly ids: string
}

/** Rows of entries, with the keys of ids that are in each if they are in any. */
const rowsOf = ({ table, ids }: Ids) =>
  `(select run, ((asked >> shift) << shift)::ubigint as first_key, list(asked) as keys
    from session_runs, (select ${sessionKey(ids)} as asked from ${table}) where project_id = $1 group by all)`

const IS_ROW =
  'session_entries.project_id = $1 and session_entries.run = asked.run and session_entries.first_key = asked.first_key'

async function indexedTo(connection: DuckDBConnection, projectId: string): Promise<bigint> {
  const found = await connection.runAndReadAll(INDEXED_TO, [projectId])
  return found.getRowsJS()[0]?.[0] as bigint
}

/**
 * No call with one of the ids stands under an earlier number: a statement about them that is told so passes over the blocks before,
 * which for calls that are new are all but the last.
 */
export async function firstNumberOf(connection: DuckDBConnection, projectId: string, asked: Ids): Promise<bigint> {
  const to = await indexedTo(connection, projectId)
  if (to === 0n) return to
  const found = await connection.runAndReadAll(
    `select min("number")::bigint from (
       select keys, unnest(entries, recursive := true) from session_entries, ${rowsOf(asked)} asked where ${IS_ROW})
     where list_contains(keys, "key")`,
    [projectId],
  )
  return (found.getRowsJS()[0]?.[0] as bigint | null) ?? to
}

/** Takes what is gone out of the index, in the transaction that it goes in. */
export async function dropEntries(connection: DuckDBConnection, projectId: string, gone: Ids): Promise<void> {
  if ((await indexedTo(connection, projectId)) === 0n) return
  await connection.run(
    `update session_entries set entries = list_filter(entries, lambda e: not list_contains(keys, e."key"))
     from ${rowsOf(gone)} asked where ${IS_ROW} and list_has_any(list_transform(entries, lambda e: e."key"), keys)`,
    [projectId],
  )
}
