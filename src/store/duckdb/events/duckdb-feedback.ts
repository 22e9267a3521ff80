import { z } from 'zod'
import type { FeedbackRecord, FeedbackStore, NewDelivery } from '../../event-store.js'
import { sessionKey } from '../call-columns.js'
import type { Reading, Writing } from '../engine.js'
import type { DuckDbDeliveries } from './duckdb-deliveries.js'

const row = z.tuple([z.string(), z.int(), z.string().nullable(), z.string(), z.string()])

/** What people said about calls. */
export class DuckDbFeedback implements FeedbackStore {
  readonly #writer: Writing
  readonly #reader: Reading
  readonly #deliveries: DuckDbDeliveries

  constructor(writer: Writing, reader: Reading, deliveries: DuckDbDeliveries) {
    this.#writer = writer
    this.#reader = reader
    this.#deliveries = deliveries
  }

  add(feedback: FeedbackRecord, deliveries: readonly NewDelivery[]): Promise<boolean> {
    const { project_id, session_id, feedback_id, rating, text, created_at, created_by } = feedback
    return this.#writer.transaction(async connection => {
      // In the transaction: a call that is being erased gets none.
      const { rowsChanged } = await connection.run(
        `insert into feedback select $1, $2, $3, $4::INTEGER, $5, $6, $7 where exists (
           select 1 from calls where project_id = $1 and session_key = ${sessionKey('$2')} and session_id = $2)`,
        [project_id, session_id, feedback_id, rating, text ?? null, created_at, created_by],
      )
      if (rowsChanged === 0) return false
      await this.#deliveries.addIn(connection, deliveries)
      return true
    })
  }

  async of(projectId: string, sessionId: string): Promise<readonly FeedbackRecord[]> {
    const rows = await this.#reader.rows(
      `select feedback_id, rating, text, created_at, created_by from feedback
       where project_id = $1 and session_id = $2 order by created_at, feedback_id`,
      [projectId, sessionId],
    )
    return rows.map(found => {
      const [feedback_id, rating, text, created_at, created_by] = row.parse(found)
      return {
        project_id: projectId,
        session_id: sessionId,
        feedback_id,
        rating,
        ...(text === null ? {} : { text }),
        created_at,
        created_by,
      }
    })
  }
}
