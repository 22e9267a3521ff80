import type { DuckDBConnection } from '@duckdb/node-api'
import type { Compiled } from '../../../pipeline/index.js'
import type { Deadline } from '../../deadline.js'
import { readRows } from './read-rows.js'
import { untilEnded } from './until-ended.js'

/** A number that no write has. */
const NOWHERE = -1n

/** Places that are looked at: where a call may stand, and where it does not; so many of those as are wanting. */
export const MOST_PLACES = 3

/**
 * Runs work about one call where it stands. That is asked before, in a statement of its own: of a number that the engine is given it
 * leaves the other blocks out when it plans, of one that it finds itself it does not, which takes half as much processor time again and
 * more. Both are of one instant, so that a write between the two can't hide the call.
 * @param work is given the places where the call may stand; of one that is not there, or is out of scope, some where it does not;
 * undefined where it may stand in more than are looked at
 */
export async function inItsPlace<T>(
  connection: DuckDBConnection,
  place: NonNullable<Compiled['place']>,
  deadline: Deadline,
  work: (at: readonly bigint[] | undefined) => Promise<T>,
): Promise<T> {
  await connection.run('begin transaction')
  try {
    return await work(await placesOf(connection, place, deadline))
  } finally {
    await connection.run('rollback').catch(() => undefined)
  }
}

function placesOf(
  connection: DuckDBConnection,
  place: NonNullable<Compiled['place']>,
  deadline: Deadline,
): Promise<readonly bigint[] | undefined> {
  return untilEnded(connection, deadline, async () => {
    const found = new Set<bigint>()
    const others = new Set<bigint>()
    for await (const rows of readRows(connection, place, 2 * (MOST_PLACES + 1), deadline, () => undefined)) {
      for (const [at, may] of rows) (may === true ? found : others).add(BigInt(at as bigint | number))
    }
    if (found.size > MOST_PLACES) return undefined
    const places = [...found, ...others].slice(0, MOST_PLACES)
    return places.length === 0 ? [NOWHERE] : places
  })
}
