import type { DuckDBConnection } from '@duckdb/node-api'
import type { Compiled } from '../../../pipeline/index.js'
import type { Deadline } from '../../deadline.js'
import { readRows } from './read-rows.js'
import { untilEnded } from './until-ended.js'

/** A number that no write has. */
const NOWHERE = -1n

/**
 * Runs work about one call where it stands. That is asked before, in a statement of its own: of a number that the engine is given it
 * leaves the other blocks out when it plans, of one that it finds itself it does not, which takes half as much processor time again and
 * more. Both are of one instant, so that a write between the two can't hide the call.
 * @param work is given its place; of a call that is not there, or is out of scope, one where nothing is; undefined where several
 * have its key
 */
export async function inItsPlace<T>(
  connection: DuckDBConnection,
  place: NonNullable<Compiled['place']>,
  deadline: Deadline,
  work: (at: bigint | undefined) => Promise<T>,
): Promise<T> {
  await connection.run('begin transaction')
  try {
    return await work(await placeOf(connection, place, deadline))
  } finally {
    await connection.run('rollback').catch(() => undefined)
  }
}

function placeOf(
  connection: DuckDBConnection,
  place: NonNullable<Compiled['place']>,
  deadline: Deadline,
): Promise<bigint | undefined> {
  return untilEnded(connection, deadline, async () => {
    const found: bigint[] = []
    for await (const rows of readRows(connection, place, 2, deadline, () => undefined)) {
      for (const [at] of rows) found.push(BigInt(at as bigint | number))
    }
    return found.length > 1 ? undefined : (found[0] ?? NOWHERE)
  })
}
