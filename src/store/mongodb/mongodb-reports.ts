import type { ReportStore } from '../report-store.js'
import { callsOf } from './call-document.js'
import type { FencedDocuments } from './fenced-documents.js'
import type { MongoDatabase } from './mongodb-database.js'
import { inProject } from './mongodb-records.js'
import type { WriteLane } from './write-lane.js'

const COLLECTION = 'report_calls'

/** Names of files and ids of calls may have anything in them. */
export const namedId = ({
  project_id,
  file,
  session_id,
}: Readonly<Record<'project_id' | 'file' | 'session_id', string>>) =>
  inProject(project_id, JSON.stringify([file, session_id]))

/** Which calls reports name, a document for each name in a file. */
export class MongoReports implements ReportStore {
  readonly #database: MongoDatabase
  readonly #lane: WriteLane
  readonly #documents: FencedDocuments

  constructor(database: MongoDatabase, lane: WriteLane, documents: FencedDocuments) {
    this.#database = database
    this.#lane = lane
    this.#documents = documents
  }

  async note(projectId: string, file: string, sessionIds: readonly string[]): Promise<ReadonlySet<string>> {
    if (sessionIds.length === 0) return new Set()
    return await this.#lane.run(projectId, async () => {
      const found = await this.#database
        .reading('facts')
        .find(callsOf(projectId, sessionIds), { projection: { session_id: 1 } })
        .toArray()
      const there = found.map(one => String(one['session_id']))
      const named = there.map(session_id => ({ project_id: projectId, session_id, file }))
      await this.#documents.put(
        projectId,
        COLLECTION,
        named.map(one => ({ _id: namedId(one), ...one })),
      )
      return new Set(there)
    })
  }

  async named(projectId: string, file: string): Promise<ReadonlySet<string>> {
    const found = await this.#database
      .reading(COLLECTION)
      .find({ project_id: projectId, file }, { projection: { session_id: 1 } })
      .toArray()
    return new Set(found.map(one => String(one['session_id'])))
  }

  async naming(projectId: string, sessionIds: readonly string[]): Promise<readonly string[]> {
    const found = await this.#database
      .reading(COLLECTION)
      .find({ project_id: projectId, session_id: { $in: [...sessionIds] } }, { projection: { file: 1 } })
      .toArray()
    return [...new Set(found.map(one => String(one['file'])))].toSorted()
  }
}
