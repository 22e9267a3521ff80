import type { KnowledgeDocument } from '../../src/store/records/knowledge-document.js'
import { type KnowledgeStamp, type KnowledgeStore, stampOf } from '../../src/store/knowledge-store.js'

/** Documents as a store keeps them, in memory (see the contract). */
export class DocumentShelf implements KnowledgeStore {
  readonly #kept = new Map<string, KnowledgeDocument>()

  async put(document: KnowledgeDocument): Promise<boolean> {
    const key = `${document.project_id}/${document.kb_id}`
    const replaced = this.#kept.has(key)
    this.#kept.set(key, document)
    return replaced
  }

  async remove(projectId: string, kbId: string): Promise<boolean> {
    return this.#kept.delete(`${projectId}/${kbId}`)
  }

  async get(projectId: string, kbId: string): Promise<KnowledgeDocument | undefined> {
    return this.#kept.get(`${projectId}/${kbId}`)
  }

  async stamps(): Promise<readonly KnowledgeStamp[]> {
    return [...this.#kept.values()].map(stampOf)
  }

  async all(projectId?: string): Promise<readonly KnowledgeDocument[]> {
    const kept = [...this.#kept.values()].filter(one => projectId === undefined || one.project_id === projectId)
    const place = (one: KnowledgeDocument) => `${one.project_id}/${one.name}`
    return kept.toSorted((a, b) => (place(a) < place(b) ? -1 : 1))
  }
}
