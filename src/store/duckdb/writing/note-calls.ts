import type { DuckDBConnection } from '@duckdb/node-api'

/**
 * Notes calls whose evaluation, scores or signals are others than before, for whoever looks at them afterwards. Works on
 * the table `incoming` of an upsert, in its transaction, and only for projects with webhooks or alerts: others pay one
 * small look.
 */
export interface CallNotes {
  /** After the incoming calls are written. @returns whether any was noted */
  note(): Promise<boolean>
}

/**
 * Before anything is replaced. Undefined where nobody wants to know.
 * @param found the condition that a call is one of `incoming`
 */
export async function beforeUpsert(
  connection: DuckDBConnection,
  projectId: string,
  found: string,
): Promise<CallNotes | undefined> {
  const wanted = await connection.runAndReadAll(
    `select 1 from webhooks where project_id = $1 union all select 1 from alerts where project_id = $1 limit 1`,
    [projectId],
  )
  if (wanted.currentRowCount === 0) return undefined
  await connection.run(
    `create or replace temp table replaced as
     select calls.session_id, evaluation, score, predicted_csat, present_signals
     from calls, incoming where project_id = $1 and ${found}`,
    [projectId],
  )
  return {
    note: async () => {
      const { rowsChanged } = await connection.run(
        `insert into noted_calls
         select project_id, calls.session_id from calls join incoming on project_id = $1 and ${found}
         left join replaced r on r.session_id = calls.session_id
         where r.session_id is null
           or r.evaluation is distinct from calls.evaluation
           or r.score is distinct from calls.score
           or r.predicted_csat is distinct from calls.predicted_csat
           or r.present_signals is distinct from calls.present_signals`,
        [projectId],
      )
      return rowsChanged > 0
    },
  }
}
