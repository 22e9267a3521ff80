import type { ReportStore } from '../report-store.js'
import { callsOf } from './call-document.js'
import type { MongoDatabase } from './mongodb-database.js'
import type { WriteLane } from './write-lane.js'

const COLLECTION = 'report_calls'

/** Which calls reports name, a document for each name in a file. */
export class MongoReports implements ReportStore {
  readonly #database: MongoDatabase
  readonly #lane: WriteLane

  constructor(database: MongoDatabase, lane: WriteLane) {
    this.#database = database
    this.#lane = lane
  }

  async note(projectId: string, file: string, sessionIds: readonly string[]): Promise<ReadonlySet<string>> {
    if (sessionIds.length === 0) return new Set()
    return await this.#lane.run(projectId, async () => {
      const found = await this.#database
        .reading('facts')
        .find(callsOf(projectId, sessionIds), { projection: { session_id: 1 } })
        .toArray()
      const there = found.map(one => String(one['session_id']))
      if (there.length > 0) {
        const written = there.map(session_id => ({ project_id: projectId, session_id, file }))
        await this.#database.writing<(typeof written)[number]>(COLLECTION).insertMany(written)
      }
      return new Set(there)
    })
  }

  async naming(projectId: string, sessionIds: readonly string[]): Promise<readonly string[]> {
    const found = await this.#database
      .reading(COLLECTION)
      .find({ project_id: projectId, session_id: { $in: [...sessionIds] } }, { projection: { file: 1 } })
      .toArray()
    return [...new Set(found.map(one => String(one['file'])))].toSorted()
  }
}
