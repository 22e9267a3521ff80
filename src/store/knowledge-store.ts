import type { KnowledgeDocument } from './records/knowledge-document.js'

/** Keeps the documents of every project's knowledge base; finding things in them is not the store's work. */
export interface KnowledgeStore {
  /** Adds a document or replaces the one with its id; durable when it resolves. Gives back whether it replaced one. */
  put(document: KnowledgeDocument): Promise<boolean>
  /** `false` when there was none. */
  remove(projectId: string, kbId: string): Promise<boolean>
  get(projectId: string, kbId: string): Promise<KnowledgeDocument | undefined>
  /** Every document, or those of one project, by project and name. */
  all(projectId?: string): Promise<readonly KnowledgeDocument[]>
}
