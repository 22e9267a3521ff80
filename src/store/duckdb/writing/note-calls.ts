import type { DuckDBConnection } from '@duckdb/node-api'
import { sessionKey } from '../call-columns.js'

/**
 * Notes calls whose evaluation, scores or signals are others than before, for whoever looks at them afterwards. Works on
 * the table `incoming` of an upsert, in its transaction, and only for projects with webhooks or alerts: others pay one
 * small look.
 */
export interface CallNotes {
  /** After the incoming calls are written. @returns whether any was noted */
  note(): Promise<boolean>
}

const MATCHES = `c.project_id = $1 and c.session_id = i.session_id and c.session_key = ${sessionKey('i.session_id')}`

/** Before anything is replaced. Undefined where nobody wants to know. */
export async function beforeUpsert(connection: DuckDBConnection, projectId: string): Promise<CallNotes | undefined> {
  const wanted = await connection.runAndReadAll(
    `select 1 from webhooks where project_id = $1 union all select 1 from alerts where project_id = $1 limit 1`,
    [projectId],
  )
  if (wanted.currentRowCount === 0) return undefined
  await connection.run(
    `create or replace temp table replaced as
     select c.session_id, c.evaluation, c.score, c.predicted_csat, c.present_signals
     from calls c join incoming i on ${MATCHES}`,
    [projectId],
  )
  return {
    note: async () => {
      const { rowsChanged } = await connection.run(
        `insert into noted_calls
         select c.project_id, c.session_id from calls c join incoming i on ${MATCHES}
         left join replaced r on r.session_id = c.session_id
         where r.session_id is null
           or r.evaluation is distinct from c.evaluation
           or r.score is distinct from c.score
           or r.predicted_csat is distinct from c.predicted_csat
           or r.present_signals is distinct from c.present_signals`,
        [projectId],
      )
      return rowsChanged > 0
    },
  }
}
