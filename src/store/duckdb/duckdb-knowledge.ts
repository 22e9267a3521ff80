import { type KnowledgeDocument, knowledgeDocument } from '../records/knowledge-document.js'
import { type KnowledgeStamp, type KnowledgeStore, stampOf } from '../knowledge-store.js'
import type { Reading, Writing } from './engine.js'

/** Keeps documents, each as its JSON. That an id is there once is the work of the one lane for writes. */
export class DuckDbKnowledge implements KnowledgeStore {
  readonly #writer: Writing
  readonly #reader: Reading

  constructor(writer: Writing, reader: Reading) {
    this.#writer = writer
    this.#reader = reader
  }

  put(put: KnowledgeDocument): Promise<boolean> {
    const { project_id: projectId, kb_id: kbId } = put
    return this.#writer.transaction(async connection => {
      const { rowsChanged } = await connection.run('delete from knowledge where project_id = $1 and kb_id = $2', [
        projectId,
        kbId,
      ])
      await connection.run('insert into knowledge values ($1, $2, $3)', [projectId, kbId, JSON.stringify(put)])
      return rowsChanged > 0
    })
  }

  async remove(projectId: string, kbId: string): Promise<boolean> {
    const { rowsChanged } = await this.#writer.transaction(connection =>
      connection.run('delete from knowledge where project_id = $1 and kb_id = $2', [projectId, kbId]),
    )
    return rowsChanged > 0
  }

  async get(projectId: string, kbId: string): Promise<KnowledgeDocument | undefined> {
    const [row] = await this.#reader.rows('select record from knowledge where project_id = $1 and kb_id = $2', [
      projectId,
      kbId,
    ])
    return row === undefined ? undefined : knowledgeDocument.stored.parse(JSON.parse(String(row[0])))
  }

  async stamps(): Promise<readonly KnowledgeStamp[]> {
    return (await this.all()).map(stampOf)
  }

  async all(projectId?: string): Promise<readonly KnowledgeDocument[]> {
    const rows = await this.#reader.rows(
      `select record from knowledge where $1 is null or project_id = $1 order by project_id, record->>'name', kb_id`,
      [projectId ?? null],
    )
    return rows.map(([record]) => knowledgeDocument.stored.parse(JSON.parse(String(record))))
  }
}
