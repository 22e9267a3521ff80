import type { DuckDBConnection } from '@duckdb/node-api'
import { MOST_ROWS, ROW_BITS } from './segments.js'

/**
 * A segment is made in two steps: its words from a snapshot, beside all writes, in tables of the engine's own memory, and then
 * a short write that takes them over where none of its calls has changed since.
 *
 * A word is what stands between blanks and line ends, with whatever signs are at it: so a term without either stands in a text
 * just where it stands in one of its words.
 */

const CALLS = 'memory.main.segment_calls'
const SPLIT = 'memory.main.segment_split'
const WORDS = 'memory.main.segment_words'

/** Of the calls of a segment: a word that is said more often is kept as a bit for each call, one that is not as a list of rows. */
const OFTEN = 1 / 16

/** The calls of a segment that is to be made. */
export interface ChosenCalls {
  readonly calls: number
  /** The least and the most number of the writes that put them there. */
  readonly from: bigint
  readonly to: bigint
}

/** Calls of the project that are in no segment. */
const UNPLACED = 'from calls where project_id = $1 and place is null'

export async function countUnplaced(connection: DuckDBConnection, projectId: string): Promise<number> {
  const found = await connection.runAndReadAll(`select count(*) ${UNPLACED}`, [projectId])
  return Number(found.getRowsJS()[0]?.[0])
}

/** Reads the words of the next calls, as they were put there. @param most calls of the segment */
export async function readWords(connection: DuckDBConnection, projectId: string, most: number): Promise<ChosenCalls> {
  await connection.run('begin transaction')
  try {
    // The first where they stand, which is by writes: put in order, all that are left would be looked at for each segment.
    await connection.run(
      `create or replace table ${CALLS} as
       select (row_number() over () - 1)::usmallint as "row", *
       from (select write_number, session_id, created_dt ${UNPLACED} limit ${Math.min(most, MOST_ROWS)})`,
      [projectId],
    )
    const found = await connection.runAndReadAll(`select count(*), min(write_number), max(write_number) from ${CALLS}`)
    const [calls, from, to] = found.getRowsJS()[0] ?? []
    const chosen = { calls: Number(calls), from: (from ?? 0n) as bigint, to: (to ?? -1n) as bigint }
    await connection.run(
      `create or replace table ${SPLIT} as
       select word, list("row") as "rows" from (
         select "row", unnest(string_split(replace(search_text, chr(10), ' '), ' ')) as word
         from calls join ${CALLS} chosen using (write_number, session_id)
         where project_id = $1 and write_number >= $2 and write_number <= $3)
       where word <> '' group by word`,
      [projectId, chosen.from, chosen.to],
    )
    const often = Math.floor(chosen.calls * OFTEN)
    await connection.run(
      `create or replace table ${WORDS} as
       select word, list_sort(list_distinct("rows")) as "rows", null::bit as bits from ${SPLIT} where len("rows") <= ${often}
       union all
       select word, null, bitstring_agg("row", 0, ${MOST_ROWS - 1})
       from (select word, unnest("rows")::integer as "row" from ${SPLIT} where len("rows") > ${often}) group by word`,
    )
    await connection.run(`drop table ${SPLIT}`)
    await connection.run('commit')
    return chosen
  } catch (error) {
    await connection.run('rollback').catch(() => undefined)
    throw error
  }
}

/** Takes the words over. @returns whether it did: not where one of the calls has changed */
export async function takeWords(
  connection: DuckDBConnection,
  projectId: string,
  { calls, from, to }: ChosenCalls,
): Promise<boolean> {
  const numbers = await connection.runAndReadAll('select segment from word_segments where project_id = $1', [projectId])
  const taken = new Set(numbers.getRowsJS().map(([number]) => Number(number)))
  let segment = 0
  while (taken.has(segment)) segment += 1
  const among = `calls.project_id = $1 and calls.write_number >= $2 and calls.write_number <= $3
    and calls.write_number = chosen.write_number and calls.session_id = chosen.session_id and calls.place is null`
  const values = [projectId, from, to]
  const same = await connection.runAndReadAll(`select count(*) from calls, ${CALLS} chosen where ${among}`, values)
  if (Number(same.getRowsJS()[0]?.[0]) !== calls) return false
  await connection.run(
    `update calls set place = ${segment << ROW_BITS} + chosen."row" from ${CALLS} chosen where ${among}`,
    values,
  )
  await connection.run(`insert into words select $1, ${segment}, word, "rows", bits from ${WORDS} order by word`, [
    projectId,
  ])
  await connection.run(
    `insert into word_segments select $1, ${segment}, min(created_dt), max(created_dt) from ${CALLS}`,
    [projectId],
  )
  return true
}

/** Gives the memory back. */
export async function forgetWords(connection: DuckDBConnection): Promise<void> {
  for (const table of [CALLS, SPLIT, WORDS]) {
    // oxlint-disable-next-line no-await-in-loop -- one table after the other
    await connection.run(`drop table if exists ${table}`)
  }
}
