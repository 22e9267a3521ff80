import type { ReportStore } from '../report-store.js'
import { hasSession } from './call-columns.js'
import type { Reading, Writing } from './engine.js'
import { stageIds } from './writing/stage-ids.js'

/** Which calls reports name, a row for each name in a file. No index: it is looked at when calls are erased. */
export class DuckDbReports implements ReportStore {
  readonly #writer: Writing
  readonly #reader: Reading

  constructor(writer: Writing, reader: Reading) {
    this.#writer = writer
    this.#reader = reader
  }

  async note(projectId: string, file: string, sessionIds: readonly string[]): Promise<ReadonlySet<string>> {
    if (sessionIds.length === 0) return new Set()
    return await this.#writer.transaction(async connection => {
      await stageIds(connection, 'named', [...new Set(sessionIds)])
      const there = await connection.runAndReadAll(
        `insert into report_calls select $1, named.session_id, $2 from named join calls
           on ${hasSession('named.session_id')}
         where calls.project_id = $1 returning session_id`,
        [projectId, file],
      )
      return new Set(there.getRowsJS().map(([id]) => id as string))
    })
  }

  async named(projectId: string, file: string): Promise<ReadonlySet<string>> {
    const rows = await this.#reader.rows('select session_id from report_calls where project_id = $1 and file = $2', [
      projectId,
      file,
    ])
    return new Set(rows.map(([id]) => String(id)))
  }

  async naming(projectId: string, sessionIds: readonly string[]): Promise<readonly string[]> {
    const rows = await this.#reader.rows(
      `select distinct file from report_calls
       where project_id = $1 and session_id in (select unnest(from_json($2, '["VARCHAR"]'))) order by file`,
      [projectId, JSON.stringify(sessionIds)],
    )
    return rows.map(([file]) => String(file))
  }
}
