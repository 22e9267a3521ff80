import type { DuckDBConnection } from '@duckdb/node-api'
import type { PreviewedCall } from '../../store.js'
import { CALL_SUBJECT } from '../../event-store.js'
import { hasSession } from '../call-columns.js'
import { dropEntries } from '../sessions/session-runs.js'
import { beforeLeaving } from './before-leaving.js'

/** Reads rows with a statement of ours. */
export type ReadRows = (sql: string, values: (string | bigint)[]) => Promise<readonly unknown[][]>

/** Under which number of a write the first of the calls with some ids stands, if it stands anywhere. */
export type FirstOf = (ids: readonly string[]) => Promise<bigint>
export const ANYWHERE: FirstOf = () => Promise.resolve(0n)

/** What becomes of calls whose ids are those of their files. */
export interface PlacedJudgement {
  /** Their ids are those of other calls that are stored: they stay out. */
  readonly taken: ReadonlySet<string>
  /** Stored under the bare names of their files: these become them. By their ids. */
  readonly renamed: Map<string, string>
  /** Other calls are stored under the bare names of their files. */
  readonly besideBare: readonly string[]
}

const NONE_PLACED: PlacedJudgement = { taken: new Set(), renamed: new Map(), besideBare: [] }

const STRUCTURE = '[{"id":"VARCHAR","bare":"VARCHAR","agent_name":"VARCHAR","began":"BIGINT","words":"VARCHAR"}]'

/**
 * Two of the three have to be equal for a stored call to be the same: the agent, the start, the words. So a mapping that
 * is put right replaces the call, and so does another transcription of it.
 */
const SAME = `((calls.agent_name = placed.agent_name)::INTEGER + (epoch_ms(calls.created_dt) = placed.began)::INTEGER
  + (sha256(array_to_string(list_transform(calls.transcript, lambda t: t.text), chr(10)))
     is not distinct from placed.words)::INTEGER) >= 2`

/** Looks at what is stored under the ids of files, and under their bare names. */
export async function judgePlaced(
  read: ReadRows,
  projectId: string,
  calls: Iterable<PreviewedCall>,
  firstOf: FirstOf,
): Promise<PlacedJudgement> {
  const placed = [...calls].flatMap(({ session_id: id, agent_name, placed: by }) =>
    by === undefined ? [] : [{ id, agent_name, ...by }],
  )
  if (placed.length === 0) return NONE_PLACED
  const first = await firstOf(placed.flatMap(({ id, bare }) => (bare === undefined ? [id] : [id, bare])))
  // A row for each id that is looked for: one or the other in a row the engine compares with every call.
  const rows = await read(
    `with given as (select unnest(json_transform($2::JSON, '${STRUCTURE}'), recursive := true)),
       placed as (select *, unnest(list_distinct([id, bare])) as sought from given)
     select placed.id, placed.bare, calls.session_id, ${SAME} from calls, placed
     where calls.project_id = $1 and ${hasSession('placed.sought')} and calls.write_number >= ${first}
     order by placed.id`,
    [projectId, JSON.stringify(placed)],
  )
  const taken = new Set<string>()
  const renamed = new Map<string, string>()
  const besideBare: string[] = []
  const gone = new Set<string>()
  for (const [id, , stored, same] of rows) if (stored === id && same !== true) taken.add(String(id))
  for (const [id, bare, stored, same] of rows) {
    const [to, from] = [String(id), String(bare)]
    if (stored !== bare || taken.has(to) || gone.has(from)) continue
    if (same === true) {
      renamed.set(to, from)
      gone.add(from)
    } else besideBare.push(to)
  }
  return { taken, renamed, besideBare }
}

/** Tables that keep something about calls beside their rows, by session_id. */
const ABOUT = ['feedback', 'report_calls', 'noted_calls', 'model_batch_calls'] as const

/** Takes calls away that are to be written anew under other ids, and gives these what was kept about them. */
export async function renameCalls(
  connection: DuckDBConnection,
  projectId: string,
  renamed: PlacedJudgement['renamed'],
): Promise<void> {
  if (renamed.size === 0) return
  const names = JSON.stringify([...renamed].map(([to, from]) => ({ to, from })))
  await connection.run(
    `create or replace temp table renamed as
     select unnest(json_transform($1::JSON, '[{"to":"VARCHAR","from":"VARCHAR"}]'), recursive := true)`,
    [names],
  )
  for (const table of ABOUT) {
    await connection.run(
      `update ${table} set session_id = renamed."to" from renamed
       where project_id = $1 and ${table}.session_id = renamed."from"`,
      [projectId],
    )
  }
  await connection.run(
    `update event_deliveries set subject = $2 || renamed."to" from renamed
     where project_id = $1 and subject = $2 || renamed."from"`,
    [projectId, CALL_SUBJECT],
  )
  await connection.run(
    `delete from model_answers using renamed where project_id = $1 and model_answers.session_id = renamed."from"`,
    [projectId],
  )
  await beforeLeaving(connection, projectId, { table: 'renamed', found: hasSession('renamed."from"') })
  await connection.run(`delete from calls using renamed where project_id = $1 and ${hasSession('renamed."from"')}`, [
    projectId,
  ])
  await dropEntries(connection, projectId, { table: 'renamed', ids: 'renamed."from"' })
}
