import { createHash } from 'node:crypto'
import type { KnowledgeDocument, KnowledgeDraft, KnowledgeStore } from '../../store/knowledge-store.js'
import { KnowledgeBase } from './knowledge-base.js'

/** The knowledge bases of all projects: what is put in is kept, and found from then on. */
export class KnowledgeBases {
  readonly #store: KnowledgeStore
  readonly #byProject = new Map<string, KnowledgeBase>()

  private constructor(store: KnowledgeStore) {
    this.#store = store
  }

  /** Reads and indexes what is kept. */
  static async load(store: KnowledgeStore): Promise<KnowledgeBases> {
    const bases = new KnowledgeBases(store)
    for (const document of await store.all()) bases.#baseOf(document.project_id).put(document)
    return bases
  }

  /** What a project's documents are looked up in; undefined while it has none. */
  of(projectId: string): KnowledgeBase | undefined {
    const base = this.#byProject.get(projectId)
    return base === undefined || base.documents === 0 ? undefined : base
  }

  list(projectId: string): Promise<readonly KnowledgeDocument[]> {
    return this.#store.all(projectId)
  }

  /** Adds a document or replaces the one of its name; durable, and found, when it resolves. */
  async put(
    projectId: string,
    draft: KnowledgeDraft,
  ): Promise<{ readonly document: KnowledgeDocument; readonly replaced: boolean }> {
    const document = {
      project_id: projectId,
      kb_id: `kb_${createHash('sha256').update(draft.name).digest('hex').slice(0, 12)}`,
      imported_at: new Date().toISOString(),
      ...draft,
    }
    const replaced = await this.#store.put(document)
    this.#baseOf(projectId).put(document)
    return { document, replaced }
  }

  /** `false` when there was none. */
  async remove(projectId: string, kbId: string): Promise<boolean> {
    const removed = await this.#store.remove(projectId, kbId)
    this.#byProject.get(projectId)?.remove(kbId)
    return removed
  }

  #baseOf(projectId: string): KnowledgeBase {
    const known = this.#byProject.get(projectId)
    if (known !== undefined) return known
    const base = new KnowledgeBase([])
    this.#byProject.set(projectId, base)
    return base
  }
}
