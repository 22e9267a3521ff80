import type { DuckDBConnection } from '@duckdb/node-api'
import { z } from 'zod'
import type { AlertRecord } from '../../records/alert.js'
import type { Consequences, NotedCall, NotedCalls } from '../../event-store.js'
import { sessionKey } from '../call-columns.js'
import type { Writing } from '../engine.js'
import type { DuckDbDeliveries } from './duckdb-deliveries.js'
import type { DuckDbShelf } from '../duckdb-shelf.js'

const keys = z.array(z.string()).nullable()
const row = z.tuple([
  z.string(),
  z.string(),
  z.string().nullable(),
  z.string(),
  z.date(),
  z.number().nullable(),
  z.number().nullable(),
  z.number().nullable(),
  z.string().nullable(),
  keys,
  keys,
  z.boolean(),
  z.date().nullable(),
])

/** Calls noted by the upserts (see note-calls.ts), oldest first. */
export class DuckDbNotedCalls implements NotedCalls {
  readonly #writer: Writing
  readonly #deliveries: DuckDbDeliveries
  readonly #alerts: DuckDbShelf<AlertRecord>
  readonly #listeners = new Set<() => void>()

  constructor(writer: Writing, deliveries: DuckDbDeliveries, alerts: DuckDbShelf<AlertRecord>) {
    this.#writer = writer
    this.#deliveries = deliveries
    this.#alerts = alerts
  }

  take(limit: number, follow: (calls: readonly NotedCall[]) => Consequences): Promise<number> {
    return this.#writer.transaction(async connection => {
      // With all notes of these calls: a later one would have the same call told of again.
      await connection.run(
        `create or replace temp table taken as select rowid as row, * from noted_calls
         where (project_id, session_id) in (select (project_id, session_id) from noted_calls limit $1)`,
        [limit],
      )
      const { rowsChanged } = await connection.run('delete from noted_calls where rowid in (select row from taken)')
      if (rowsChanged === 0) return 0
      const { deliveries, alerts } = follow(await takenCalls(connection))
      await this.#deliveries.addIn(connection, deliveries)
      for (const alert of alerts) await this.#alerts.putIn(connection, alert)
      return rowsChanged
    })
  }

  onNoted(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Tells whoever waits for notes. */
  tell(): void {
    for (const listener of this.#listeners) listener()
  }
}

/** Each call once, as it is now: one that was erased since is passed over. */
async function takenCalls(connection: DuckDBConnection): Promise<readonly NotedCall[]> {
  const found = await connection.runAndReadAll(
    `select c.project_id, c.session_id, c.agent_id, c.agent_name, c.created_dt, c.score, c.predicted_csat,
       c.outcome_lift.lift, c.outcome_lift.lift_band, c.present_signals, c.guidance_keys,
       c.evaluation is not null, c.evaluation.evaluated_at
     from (select project_id, session_id, min(row) as row from taken group by all) t
     join calls c on c.project_id = t.project_id and c.session_id = t.session_id
       and c.session_key = ${sessionKey('t.session_id')}
     order by t.row`,
  )
  return found.getRowsJS().map(values => {
    const [project_id, session_id, agent_id, agent_name, created, ...rest] = row.parse(values)
    const [score, predicted_csat, lift, lift_band, signals, guidance, evaluated, evaluatedAt] = rest
    return {
      project_id,
      session_id,
      agent_name,
      created_dt: created.toISOString(),
      signals: signals ?? [],
      guidance: guidance ?? [],
      evaluated,
      ...(agent_id === null ? {} : { agent_id }),
      ...(score === null ? {} : { score }),
      ...(predicted_csat === null ? {} : { predicted_csat }),
      ...(lift === null ? {} : { lift }),
      ...(lift_band === null ? {} : { lift_band }),
      ...(evaluatedAt === null ? {} : { evaluated_at: evaluatedAt.toISOString() }),
    }
  })
}
