import { type DuckDBConnection, type DuckDBValue, LIST, VARCHAR, listValue } from '@duckdb/node-api'
import { z } from 'zod'
import type { ScopedCalls } from '../../../pipeline/index.js'
import type { TimeLeft } from '../../deadline.js'
import type { FeedbackPlace, FeedbackRestored, FeedbackStore, KeptFeedback, NewDelivery } from '../../event-store.js'
import { feedback, type FeedbackRecord } from '../../records/feedback.js'
import { sessionKey } from '../call-columns.js'
import type { Reading, Writing } from '../engine.js'
import type { DuckDbDeliveries } from './duckdb-deliveries.js'

const COLUMNS = 'session_id, feedback_id, rating, text, created_at, created_by, subject'
const row = z.tuple([
  z.string(),
  z.string(),
  z.int().nullable(),
  z.string().nullable(),
  z.string(),
  z.string(),
  z.string().nullable(),
])

/** What of a call feedback is on, as it is kept beside the rest; that on the call as a whole has none. */
const { about, verdict, signal_key, state, score, turn, answers } = feedback.stored.shape
const subject = z.strictObject({ about, verdict, signal_key, state, score, turn, answers })

const subjectOf = (one: KeptFeedback): string | null =>
  one.about === 'call' ? null : JSON.stringify(subject.strip().parse(one))

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

  add(said: FeedbackRecord, deliveries: readonly NewDelivery[]): Promise<boolean> {
    const { project_id, session_id, feedback_id, rating, text, created_at, created_by } = said
    return this.#writer.transaction(async connection => {
      await removeIn(connection, project_id, session_id, feedback_id)
      // In the transaction: a call that is being erased gets none.
      const { rowsChanged } = await connection.run(
        `insert into feedback (project_id, ${COLUMNS}) select $1, $2, $3, $4::INTEGER, $5, $6, $7, $8 where exists (
           select 1 from calls where project_id = $1 and session_key = ${sessionKey('$2')} and session_id = $2)`,
        [project_id, session_id, feedback_id, rating ?? null, text ?? null, created_at, created_by, subjectOf(said)],
      )
      if (rowsChanged === 0) return false
      await this.#deliveries.addIn(connection, deliveries)
      return true
    })
  }

  remove(projectId: string, sessionId: string, feedbackId: string): Promise<boolean> {
    return this.#writer.transaction(connection => removeIn(connection, projectId, sessionId, feedbackId))
  }

  async reword(
    projectId: string,
    texts: readonly Pick<FeedbackRecord, 'session_id' | 'feedback_id' | 'text'>[],
  ): Promise<void> {
    await this.#writer.transaction(async connection => {
      for (const { session_id: id, feedback_id: given, text } of texts) {
        // oxlint-disable-next-line no-await-in-loop -- one transaction
        await connection.run(
          'update feedback set text = $4 where project_id = $1 and session_id = $2 and feedback_id = $3',
          [projectId, id, given, text ?? null],
        )
      }
    })
  }

  async of(projectId: string, sessionId: string): Promise<readonly FeedbackRecord[]> {
    const rows = await this.#reader.rows(
      `select ${COLUMNS} from feedback
       where project_id = $1 and session_id = $2 order by created_at, feedback_id`,
      [projectId, sessionId],
    )
    return rows.map(found => recordOf(projectId, found))
  }

  /**
   * Joined with the calls that are heard: the newest of a hundred thousand verdicts take tens of milliseconds, however few of them are
   * heard. By ids alone: hashes of as many take longer to make than the ids to compare.
   */
  async newestVerdicts(
    { scope, before }: ScopedCalls,
    most: number,
    left: TimeLeft,
  ): Promise<readonly FeedbackRecord[]> {
    const { projectId, agents } = scope
    if (agents.length === 0) return []
    const named = agents === 'all' ? [] : agents
    const ofAgents = named.length === 0 ? '' : `and agent_name in (${named.map((_, at) => `$${at + 4}`).join(', ')})`
    const rows = await this.#reader.rows(
      `select ${COLUMNS} from feedback
       where project_id = $1 and ((subject->>'verdict') is not null or (subject->>'about') = 'feedback')
         and session_id in (select session_id from calls
           where project_id = $1 and created_dt < $3::TIMESTAMPTZ::TIMESTAMP ${ofAgents})
       order by created_at desc, feedback_id desc limit $2::INTEGER`,
      [projectId, most, before.toISOString(), ...named],
      { ...left, project: projectId },
    )
    return rows.map(found => recordOf(projectId, found)).toReversed()
  }

  async page(projectId: string, after: FeedbackPlace | undefined, limit: number): Promise<readonly FeedbackRecord[]> {
    const rows = await this.#reader.rows(
      `select ${COLUMNS} from feedback
       where project_id = $1 and (created_at > $2 or (created_at = $2 and feedback_id > $3))
       order by created_at, feedback_id limit $4::INTEGER`,
      [projectId, after?.created_at ?? '', after?.feedback_id ?? '', limit],
    )
    return rows.map(found => recordOf(projectId, found))
  }

  restore(projectId: string, feedback: readonly KeptFeedback[]): Promise<FeedbackRestored> {
    return this.#writer.transaction(async connection => {
      await stage(connection, feedback)
      const call = `select 1 from calls c
        where c.project_id = $1 and c.session_key = ${sessionKey('i.session_id')} and c.session_id = i.session_id`
      const lost = await connection.runAndReadAll(
        `select i.feedback_id from incoming_feedback i where not exists (${call})`,
        [projectId],
      )
      // Of one id in one batch one is kept; one that was there stays.
      const { rowsChanged: added } = await connection.run(
        `insert into feedback (project_id, ${COLUMNS}) select distinct on (i.feedback_id) $1, ${COLUMNS}
         from incoming_feedback i where exists (${call}) and not exists (
           select 1 from feedback f where f.project_id = $1 and f.feedback_id = i.feedback_id)`,
        [projectId],
      )
      return { added, without_call: lost.getRows().map(([id]) => z.string().parse(id)) }
    })
  }
}

async function removeIn(
  connection: DuckDBConnection,
  projectId: string,
  sessionId: string,
  feedbackId: string,
): Promise<boolean> {
  const { rowsChanged } = await connection.run(
    'delete from feedback where project_id = $1 and session_id = $2 and feedback_id = $3',
    [projectId, sessionId, feedbackId],
  )
  return rowsChanged > 0
}

function recordOf(projectId: string, found: readonly unknown[]): FeedbackRecord {
  const [session_id, feedback_id, rating, text, created_at, created_by, on] = row.parse(found)
  return {
    project_id: projectId,
    session_id,
    feedback_id,
    ...(on === null ? { about: 'call' } : subject.parse(JSON.parse(on))),
    ...(rating === null ? {} : { rating }),
    ...(text === null ? {} : { text }),
    created_at,
    created_by,
  }
}

/** Puts feedback into a temporary table, replacing what was there. */
async function stage(connection: DuckDBConnection, feedback: readonly KeptFeedback[]): Promise<void> {
  const column = (of: (one: KeptFeedback) => DuckDBValue) => listValue(feedback.map(of))
  await connection.run(
    `create or replace temp table incoming_feedback as select unnest($1) as session_id, unnest($2) as feedback_id,
       unnest($3)::INTEGER as rating, unnest($4) as text, unnest($5) as created_at, unnest($6) as created_by, unnest($7) as subject`,
    [
      column(one => one.session_id),
      column(one => one.feedback_id),
      column(one => (one.rating === undefined ? null : String(one.rating))),
      column(one => one.text ?? null),
      column(one => one.created_at),
      column(one => one.created_by),
      column(subjectOf),
    ],
    Array.from({ length: 7 }, () => LIST(VARCHAR)),
  )
}
