import { BIGINT, DOUBLE, UBIGINT, VARCHAR } from '@duckdb/node-api'
import { z } from 'zod'
import type { Param } from '../../pipeline/index.js'
import {
  type AlikeCalls,
  LIFT_PARTS,
  LIFT_STATES,
  type LiftCall,
  type LiftPage,
  type LiftQuery,
  type LiftStore,
  type PlacedLift,
} from '../lift-store.js'
import { liftFit, type LiftFitRecord } from '../records/lift-fit.js'
import { BATCH_CALLS } from '../store.js'
import { markDaysBetween } from './counts/mark-days.js'
import { inBlocksOf } from './call-columns.js'
import { THE_STORE } from './reading/connection-lane.js'
import { Deadline } from '../deadline.js'
import type { Engine, CallWriting } from './engine.js'
import { type Row, readRows } from './reading/read-rows.js'
import { untilEnded } from './reading/until-ended.js'
import { StagingTable } from './writing/staging-table.js'

/** Longest a reading may take, in milliseconds. */
const READ_MS = 600_000
/** More rows than there are. */
const ALL = Number.MAX_SAFE_INTEGER
/** See LiftCall. */
const FIRST = 0x100

const staged = new StagingTable<PlacedLift>('lifts', [
  { name: 'key', type: UBIGINT, of: ({ place }) => place.key },
  { name: 'evaluated', type: BIGINT, of: ({ place }) => place.evaluated },
  { name: 'lift', type: DOUBLE, of: ({ lift }) => lift?.lift ?? null },
  { name: 'lift_band', type: VARCHAR, of: ({ lift }) => lift?.lift_band ?? null },
  { name: 'p_behavioral', type: DOUBLE, of: ({ lift }) => lift?.p_behavioral ?? null },
  { name: 'p_context', type: DOUBLE, of: ({ lift }) => lift?.p_context ?? null },
])

/** $1 project, $2 evaluator. */
const OURS = 'project_id = $1 and evaluation.evaluator = $2'
/** Longest value of an outcome field that is looked at, in characters. */
const OUTCOME_CHARACTERS = 200

const EVALUATED = 'coalesce(epoch_us(evaluation.evaluated_at), -1)::bigint'
/** $3 rubric, $4 its version. */
const BY_RUBRIC = 'coalesce(evaluation.rubric = $3 and evaluation.rubric_version = $4, false)'
/** $6 the conditions. */
const PREDICTED = 'coalesce(len(list_filter(conditions, lambda c: c.key = $6[1])) > 0, false)'
/** $8 the place of the outcome field, a JSON pointer; empty without one. Calls that have no such field are seen all the same. */
const COMPARED = `(${PREDICTED} or $8 <> '')`
const OUTCOME = `case when $8 = '' then null else
  substr(json_extract(session_metadata, $8)::varchar, 1, ${OUTCOME_CHARACTERS}) end`

const STATE = `case s.state when 'absent' then ${LIFT_STATES.absent} when 'unclear' then ${LIFT_STATES.unclear}
  when 'present' then ${LIFT_STATES.present} end`
/** $5 the signals. */
const STATES = `array_to_string(list_sort(list_transform(
  list_filter(signals, lambda s: list_contains($5, s.key)),
  lambda s: chr((${FIRST} + 4 * (list_position($5, s.key) - 1) + ${STATE})::int))), '')`
/** $7 how often one counts. */
const PARTS = `array_to_string(list_sort(list_transform(
  list_filter(conditions, lambda c: list_contains($6, c.key)),
  lambda c: chr((${FIRST} + list_position($6, c.key) - 1)::int) || regexp_extract(coalesce(c.text, ''), $7, 1))), '')`

/** Of all that is read. $1 to $8 stand for the same everywhere. */
const SEEN = `interaction_driver as driver, interaction_direction as direction,
  coalesce(${STATES}, '') as states, (session_key % 5)::int as fold`

const ALIKE = `select driver, direction, states, agent, fold, outcome, parts, count(*)::int, bit_xor(session_key)
  from (
    select ${SEEN}, to_json([agent_id, agent_name])::varchar as agent, ${OUTCOME} as outcome, ${PARTS} as parts, session_key
    from calls where ${OURS} and ${BY_RUBRIC} and ${COMPARED} and session_key % ${LIFT_PARTS} < $9
  )
  group by all
  order by driver, direction, states, agent`

/** $5 and $7 are not needed, but named. */
const COUNT = `select count(*)::int from calls
  where ${OURS} and ${BY_RUBRIC} and ${COMPARED} and $5 is not null and $7 is not null`

/** $3 to $8 are not needed, but named. */
const PLACES = `select coalesce(min(rowid), 0)::bigint, coalesce(max(rowid), -1)::bigint from calls
  where ${OURS} and ($3 is not null and $4 is not null and $5 is not null and $6 is not null and $7 is not null
    and $8 is not null)`

/** $9 to $10 the places. */
const PAGE = `select session_key, ${EVALUATED}, counts, driver, direction, states, fold,
    outcome_lift is not null, outcome_lift.lift, outcome_lift.lift_band, outcome_lift.p_behavioral, outcome_lift.p_context
  from (
    select ${SEEN}, *, ${BY_RUBRIC} and ${COMPARED} as counts from calls
    where rowid >= $9 and rowid <= $10 and ${OURS} and $7 is not null and ${inBlocksOf('$9', '$10')}
  )
  where counts or outcome_lift is not null`
/** Places of rows looked at together: those of a row group, which is then written once, and counted as one write (see Engine). */
const PLACES_AT_ONCE = BigInt(BATCH_CALLS)

/**
 * Lifts that an engine of the smallest memory writes. Of many it can't fold the log into the file: 72 MiB are too little for
 * those of 200,000 calls, 104 are enough for a million (measured).
 */
const FEW = 1_024

const WRITE = `update calls set outcome_lift = case when l.lift is null then null else {
    'lift': l.lift, 'lift_band': l.lift_band, 'p_behavioral': l.p_behavioral, 'p_context': l.p_context } end
  from lifts l where calls.session_key = l.key and ${EVALUATED} = l.evaluated and ${OURS}
    and (l.lift is null or ${BY_RUBRIC}) and calls.rowid >= $5 and calls.rowid <= $6
    and ${inBlocksOf('$5', '$6')}`

const text = z.string().nullable()
const band = z.enum(['strong_positive', 'positive', 'neutral', 'negative', 'strong_negative']).nullable()
const number = z.number().nullable()
const alikeRow = z.tuple([text, text, z.string(), z.string(), z.int(), text, z.string(), z.int(), z.bigint()])
const countRow = z.tuple([z.int()])
const placesRow = z.tuple([z.bigint(), z.bigint()])
const callRow = z.tuple([
  z.bigint(),
  z.bigint(),
  z.boolean(),
  text,
  text,
  z.string(),
  z.int(),
  z.boolean(),
  number,
  band,
  number,
  number,
])

/** Hands out what outcome lift is fitted on, and writes what came of it: one column of small values. */
export class DuckDbLifts implements LiftStore {
  readonly #writer: CallWriting
  readonly #reader: Pick<Engine, 'lease' | 'rows'>

  constructor(writer: CallWriting, reader: Pick<Engine, 'lease' | 'rows'>) {
    this.#writer = writer
    this.#reader = reader
  }

  async countLiftCalls(projectId: string, query: LiftQuery, signal?: AbortSignal): Promise<number> {
    let count = 0
    for await (const rows of this.#read(COUNT, paramsOf(projectId, query), signal)) count = countRow.parse(rows[0])[0]
    return count
  }

  async *alikeCalls(
    projectId: string,
    query: LiftQuery,
    parts: number,
    signal?: AbortSignal,
  ): AsyncGenerator<readonly AlikeCalls[]> {
    const params = [...paramsOf(projectId, query), parts]
    for await (const rows of this.#read(ALIKE, params, signal)) yield rows.map(alikeOf)
  }

  async *liftPages(projectId: string, query: LiftQuery, signal?: AbortSignal): AsyncGenerator<LiftPage> {
    const params = paramsOf(projectId, query)
    let [first, last] = [0n, -1n]
    for await (const rows of this.#read(PLACES, params, signal)) [first, last] = placesRow.parse(rows[0])
    for (let from = first; from <= last; from += PLACES_AT_ONCE) {
      const end = from + PLACES_AT_ONCE - 1n
      const to = end < last ? end : last
      const calls: LiftCall[] = []
      // oxlint-disable-next-line no-await-in-loop -- pages come one after the other
      for await (const rows of this.#read(PAGE, [...params, from, to], signal)) calls.push(...rows.map(callOf))
      yield { from, to, calls }
    }
  }

  async writeLifts(
    projectId: string,
    query: LiftQuery,
    { from, to }: Pick<LiftPage, 'from' | 'to'>,
    lifts: readonly PlacedLift[],
  ): Promise<number> {
    if (lifts.length === 0) return 0
    const { evaluator, rubric, rubricVersion } = query
    if (lifts.length > FEW) await this.#writer.growOnce()
    return await this.#writer.transaction(projectId, async connection => {
      await staged.make(connection, lifts)
      const { rowsChanged } = await connection.run(WRITE, [projectId, evaluator, rubric, rubricVersion, from, to])
      await markDaysBetween(connection, projectId, { from, to })
      return rowsChanged
    })
  }

  async liftFits(projectId: string): Promise<readonly LiftFitRecord[]> {
    const rows = await this.#reader.rows('select record from lift_fits where project_id = $1 order by evaluator desc', [
      projectId,
    ])
    return rows.map(([record]) => liftFit.parse(JSON.parse(String(record))))
  }

  async writeLiftFit(projectId: string, fit: LiftFitRecord): Promise<void> {
    await this.#writer.transaction(projectId, async connection => {
      await connection.run('delete from lift_fits where project_id = $1 and evaluator = $2', [projectId, fit.evaluator])
      await connection.run('insert into lift_fits values ($1, $2, $3)', [projectId, fit.evaluator, JSON.stringify(fit)])
    })
  }

  async *#read(sql: string, params: readonly Param[], signal?: AbortSignal): AsyncGenerator<readonly Row[]> {
    const deadline = new Deadline(READ_MS, signal)
    try {
      // A store that closes ends what runs by itself.
      const lease = await this.#reader.lease({ requester: THE_STORE, deadline }, () => undefined)
      const { connection } = lease
      try {
        const rows = readRows(connection, { sql, params }, ALL, deadline, () => undefined)
        try {
          for (;;) {
            // oxlint-disable-next-line no-await-in-loop -- parts come one after the other
            const next = await untilEnded(connection, deadline, () => rows.next())
            if (next.done === true) return
            yield next.value
          }
        } finally {
          // What was left unread would keep its snapshot.
          await rows.return(undefined)
        }
      } finally {
        lease.release()
      }
    } finally {
      deadline.dispose()
    }
  }
}

function paramsOf(projectId: string, query: LiftQuery): readonly Param[] {
  const { evaluator, rubric, rubricVersion, signals, parts, times, outcomeField } = query
  const pointer = outcomeField === undefined ? '' : `/${outcomeField.replaceAll('~', '~0').replaceAll('/', '~1')}`
  return [projectId, evaluator, rubric, rubricVersion, [...signals], [...parts], times, pointer]
}

function alikeOf(found: Row): AlikeCalls {
  const [driver, direction, states, agent, fold, outcome, parts, calls, keys] = alikeRow.parse(found)
  const context = { driver: driver ?? undefined, direction: direction ?? undefined }
  return { ...context, states, agent, fold, outcome: outcome ?? undefined, parts, calls, keys }
}

function callOf(found: Row): LiftCall {
  const [key, evaluated, counts, driver, direction, states, fold, has, lift, liftBand, pBehavioral, pContext] =
    callRow.parse(found)
  const seen = { driver: driver ?? undefined, direction: direction ?? undefined, states, fold }
  return {
    place: { key, evaluated },
    seen: counts ? seen : undefined,
    lift: has
      ? {
          ...(lift !== null && { lift }),
          ...(liftBand !== null && { lift_band: liftBand }),
          ...(pBehavioral !== null && { p_behavioral: pBehavioral }),
          ...(pContext !== null && { p_context: pContext }),
        }
      : undefined,
  }
}
