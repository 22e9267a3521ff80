import { bind, type Lookup, type Source, sql, trusted } from '../../../pipeline/index.js'
import { callSource, keyOf } from '../reading/call-source.js'
import { MOST_PLACES } from '../reading/in-its-place.js'

/**
 * The table of calls for who asks for one by its id: those under numbers before `indexedTo` are found by the index of sessions, later ones by
 * their keys.
 *
 * The index is of all agents together. Who does not hear them all is given as many places for a call that is not there as for one of
 * somebody else: nothing is found in any of them, and it takes the same.
 */
export function sessionSource(indexedTo: bigint): Source {
  const places: Lookup['places'] = (id, condition, { projectId, agents }) => {
    const near = sql`select unnest(entries, recursive := true) from session_entries
      where project_id = ${bind(projectId, 'VARCHAR')} and first_key <= ${keyOf(id)} and last_key >= ${keyOf(id)}`
    const may = sql`"key" = ${keyOf(id)}`
    const asked =
      agents === 'all'
        ? sql`select "number", true from (${near}) where ${may}`
        : sql`select "number", ${may} as may from (${near}) order by may desc, "key" limit ${trusted(String(MOST_PLACES + 1))}`
    return sql`select write_number, true from calls where ${condition} and write_number >= ${bind(indexedTo, 'BIGINT')}
      union all (${asked})`
  }
  return { ...callSource, lookup: { ...callSource.lookup!, places } }
}
