import { BIGINT, DOUBLE, DuckDBDataChunk, type DuckDBConnection, UBIGINT, VARCHAR } from '@duckdb/node-api'
import { z } from 'zod'
import { LIFT_STATES, type LiftCall, type LiftQuery, type LiftStore, type PlacedLift } from '../lift-store.js'
import { Deadline } from './deadline.js'
import type { Engine, CallWriting } from './engine.js'
import { type Row, readRows } from './read-rows.js'
import { untilEnded } from './until-ended.js'

/** Longest a reading may take, in milliseconds. */
const READ_MS = 600_000
/** More rows than there are. */
const ALL = Number.MAX_SAFE_INTEGER
/** Rows copied in one go. */
const CHUNK = 512
/** See LiftCall. */
const FIRST = 0x100

/** $1 project, $2 evaluator. */
const OURS = 'project_id = $1 and evaluation.evaluator = $2'
const EVALUATED = 'coalesce(epoch_us(evaluation.evaluated_at), -1)::bigint'
/** $3 rubric, $4 its version. */
const BY_RUBRIC = 'coalesce(evaluation.rubric = $3 and evaluation.rubric_version = $4, false)'
/** $6 the conditions. */
const HAS_OUTCOME = 'coalesce(len(list_filter(conditions, lambda c: c.key = $6[1])) > 0, false)'

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

const READ = `select session_key, evaluated, counts, driver, direction, states, parts, (session_key % 5)::int,
    lift is not null, lift.lift, lift.lift_band, lift.p_behavioral, lift.p_context
  from (
    select session_key, ${EVALUATED} as evaluated, interaction_driver as driver, interaction_direction as direction, outcome_lift as lift, counts,
      case when counts then coalesce(${STATES}, '') end as states, case when counts then ${PARTS} end as parts
    from (select *, ${BY_RUBRIC} and ${HAS_OUTCOME} as counts from calls where ${OURS})
    where counts or outcome_lift is not null
  )
  order by driver, direction, states, session_key`

const WRITE = `update calls set outcome_lift = case when l.lift is null then null else {
    'lift': l.lift, 'lift_band': l.lift_band, 'p_behavioral': l.p_behavioral, 'p_context': l.p_context } end
  from lifts l where calls.session_key = l.key and ${EVALUATED} = l.evaluated and ${OURS}
    and (l.lift is null or ${BY_RUBRIC})`

const text = z.string().nullable()
const band = z.enum(['strong_positive', 'positive', 'neutral', 'negative', 'strong_negative']).nullable()
const number = z.number().nullable()
const row = z.tuple([
  z.bigint(),
  z.bigint(),
  z.boolean(),
  text,
  text,
  text,
  text,
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
  readonly #reader: Pick<Engine, 'lease'>

  constructor(writer: CallWriting, reader: Pick<Engine, 'lease'>) {
    this.#writer = writer
    this.#reader = reader
  }

  async *liftCalls(projectId: string, query: LiftQuery, signal?: AbortSignal): AsyncGenerator<readonly LiftCall[]> {
    const deadline = new Deadline(READ_MS, signal)
    try {
      // A store that closes ends what runs by itself.
      const lease = await this.#reader.lease(deadline, () => undefined)
      const { connection } = lease
      try {
        const { evaluator, rubric, rubricVersion, signals, parts, times } = query
        const params = [projectId, evaluator, rubric, rubricVersion, [...signals], [...parts], times]
        const rows = readRows(connection, { sql: READ, params }, ALL, deadline, () => undefined)
        try {
          for (;;) {
            // oxlint-disable-next-line no-await-in-loop -- parts come one after the other
            const next = await untilEnded(connection, deadline, () => rows.next())
            if (next.done === true) return
            yield next.value.map(callOf)
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

  async writeLifts(projectId: string, query: LiftQuery, lifts: readonly PlacedLift[]): Promise<number> {
    if (lifts.length === 0) return 0
    const { evaluator, rubric, rubricVersion } = query
    return await this.#writer.transaction(projectId, async connection => {
      await stage(connection, lifts)
      const { rowsChanged } = await connection.run(WRITE, [projectId, evaluator, rubric, rubricVersion])
      return rowsChanged
    })
  }
}

function callOf(found: Row): LiftCall {
  const [key, evaluated, counts, driver, direction, states, parts, fold, has, lift, liftBand, pBehavioral, pContext] =
    row.parse(found)
  const seen = {
    driver: driver ?? undefined,
    direction: direction ?? undefined,
    states: states ?? '',
    parts: parts ?? '',
    fold,
  }
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

/** Puts lifts into the temporary table `lifts`, replacing what was there. */
async function stage(connection: DuckDBConnection, lifts: readonly PlacedLift[]): Promise<void> {
  await connection.run(
    'create or replace temp table lifts (key UBIGINT, evaluated BIGINT, lift DOUBLE, lift_band VARCHAR, p_behavioral DOUBLE, p_context DOUBLE)',
  )
  const appender = await connection.createAppender('lifts', 'main', 'temp')
  try {
    for (let start = 0; start < lifts.length; start += CHUNK) {
      const part = lifts.slice(start, start + CHUNK)
      const chunk = DuckDBDataChunk.create([UBIGINT, BIGINT, DOUBLE, VARCHAR, DOUBLE, DOUBLE], part.length)
      chunk.setColumns([
        part.map(({ place }) => place.key),
        part.map(({ place }) => place.evaluated),
        part.map(({ lift }) => lift?.lift ?? null),
        part.map(({ lift }) => lift?.lift_band ?? null),
        part.map(({ lift }) => lift?.p_behavioral ?? null),
        part.map(({ lift }) => lift?.p_context ?? null),
      ])
      appender.appendDataChunk(chunk)
    }
  } finally {
    appender.closeSync()
  }
}
