import { createHash } from 'node:crypto'
import type { KnowledgeDocument } from './records/knowledge-document.js'

/** Which document, as of which `put`. */
export interface KnowledgeStamp {
  readonly project_id: string
  readonly kb_id: string
  readonly stamp: string
}

/** One that is told from every other that has been in its place. */
export const stampOf = (document: KnowledgeDocument): KnowledgeStamp => ({
  project_id: document.project_id,
  kb_id: document.kb_id,
  stamp: createHash('sha256')
    .update(JSON.stringify(Object.entries(document).toSorted(([a], [b]) => (a < b ? -1 : 1))))
    .digest('base64url'),
})

/** Keeps the documents of every project's knowledge base; finding things in them is not the store's work. */
export interface KnowledgeStore {
  /** Adds a document or replaces the one with its id; durable when it resolves. Gives back whether it replaced one. */
  put(document: KnowledgeDocument): Promise<boolean>
  /** `false` when there was none. */
  remove(projectId: string, kbId: string): Promise<boolean>
  get(projectId: string, kbId: string): Promise<KnowledgeDocument | undefined>
  /** What every document is known by: another text after each `put`. */
  stamps(): Promise<readonly KnowledgeStamp[]>
  /** Every document, or those of one project, by project and name. */
  all(projectId?: string): Promise<readonly KnowledgeDocument[]>
}
