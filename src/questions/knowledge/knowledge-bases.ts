import { createHash } from 'node:crypto'
import type { KnowledgeDocument, KnowledgeDraft } from '../../store/records/knowledge-document.js'
import { type KnowledgeStamp, type KnowledgeStore, stampOf } from '../../store/knowledge-store.js'
import { InProcessTurns } from '../../store/in-process-turns.js'
import type { Followed, Sharing } from '../../store/shared-records.js'
import type { SharedTurns } from '../../store/shared-turns.js'
import { nobodyElse, type RecordKind } from '../../store/versions.js'
import { NamedTurns } from '../../base/named-turns.js'
import type { Embedder } from './embedder.js'
import { KnowledgeBase, type KnowledgeHit } from './knowledge-base.js'
import { textOfVector } from './vector-text.js'

/** Milliseconds for the vector of a query, which somebody waits for, and for those of a document's sections. */
const QUERY_MS = 2_000
const DOCUMENT_MS = 60_000

/** Where an embeddings endpoint that fails is told of. */
export interface KnowledgeLog {
  warn(fields: object, message: string): void
}

interface KnowledgeParts {
  readonly store: KnowledgeStore
  readonly sharing?: Sharing
  /** Absent: documents are found by their words alone. */
  readonly embedder?: Embedder | undefined
  readonly log?: KnowledgeLog | undefined
}

const placeOf = ({ project_id, kb_id }: Pick<KnowledgeStamp, 'project_id' | 'kb_id'>): string =>
  `${project_id} ${kb_id}`

/** A project's documents as questions look things up in them. */
export interface KnowledgeReader {
  readonly documents: number
  search(query: string, limit: number): Promise<readonly KnowledgeHit[]>
}

/** The knowledge bases of all projects: what is put in is kept, and found from then on. */
export class KnowledgeBases implements Followed {
  readonly kind: RecordKind = 'knowledge'
  readonly #store: KnowledgeStore
  readonly #embedder: Embedder | undefined
  readonly #log: KnowledgeLog | undefined
  readonly #byProject = new Map<string, KnowledgeBase>()
  /** One after the other of each project, so that what is found ends as what is kept does. */
  readonly #turns: SharedTurns
  /** Of each project nothing is read anew while something is written here. */
  readonly #here = new NamedTurns()
  /** Which documents are found, as of which `put`; empty where nobody else puts any. */
  readonly #found = new Map<string, KnowledgeStamp>()
  readonly #sharing: Sharing | undefined
  #version: number | undefined
  readonly #closing = new AbortController()

  private constructor({ store, sharing, embedder, log }: KnowledgeParts) {
    this.#store = store
    this.#sharing = sharing
    this.#turns = sharing?.turns ?? new InProcessTurns()
    this.#embedder = embedder
    this.#log = log
  }

  /** Reads and indexes what is kept. */
  static async load(parts: KnowledgeParts): Promise<KnowledgeBases> {
    const bases = new KnowledgeBases(parts)
    bases.#version = (await parts.sharing?.versions.read())?.get(bases.kind)
    // oxlint-disable-next-line no-await-in-loop -- one index after the other
    for (const document of await parts.store.all()) await bases.#find(document)
    return bases
  }

  /** What a project's documents are looked up in; undefined while it has none. */
  of(projectId: string): KnowledgeReader | undefined {
    const base = this.#byProject.get(projectId)
    if (base === undefined || base.documents === 0) return undefined
    return { documents: base.documents, search: (query, limit) => this.#search(base, query, limit) }
  }

  /** Gives vectors to the documents that have none of the configured model, one after the other. */
  async embedMissing(): Promise<void> {
    const { model } = this.#embedder ?? {}
    if (model === undefined) return
    for (const document of await this.#store.all()) {
      if (document.embedding?.model === model) continue
      // oxlint-disable-next-line no-await-in-loop -- the endpoint limits what is asked at once
      const embedded = await this.#embedded(document)
      if (embedded.embedding?.model !== model) return
      // oxlint-disable-next-line no-await-in-loop
      await this.#run(document.project_id, () => this.#keepIfUnchanged(embedded))
    }
  }

  /** Asks for no more vectors of documents, and gives up what it asks for: the process can end. */
  close(): void {
    this.#closing.abort()
  }

  list(projectId: string): Promise<readonly KnowledgeDocument[]> {
    return this.#store.all(projectId)
  }

  /** A document with its text. */
  get(projectId: string, kbId: string): Promise<KnowledgeDocument | undefined> {
    return this.#store.get(projectId, kbId)
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
    const embedded = await this.#embedded(document)
    const replaced = await this.#run(projectId, () => this.#keep(embedded))
    return { document, replaced }
  }

  /** `false` when there was none. */
  async remove(projectId: string, kbId: string): Promise<boolean> {
    return await this.#run(projectId, async () => {
      const removed = await this.#store.remove(projectId, kbId)
      await this.#forget(projectId, kbId)
      return removed
    })
  }

  async follow(versions: ReadonlyMap<string, number>): Promise<void> {
    const version = versions.get(this.kind)
    if (version !== this.#version) await this.#takeUp(version)
  }

  async reload(): Promise<void> {
    await this.#takeUp((await this.#sharing?.versions.read())?.get(this.kind))
  }

  /** Reads those documents that others put, and forgets those they removed. @param version read before */
  async #takeUp(version: number | undefined): Promise<void> {
    const found = new Map((await this.#store.stamps()).map(one => [placeOf(one), one]))
    // oxlint-disable no-await-in-loop -- one index after the other
    for (const [place, { project_id, kb_id }] of this.#found) {
      if (!found.has(place)) await this.#here.run(project_id, () => this.#readAgain(project_id, kb_id))
    }
    for (const [place, { project_id, kb_id, stamp }] of found) {
      if (this.#found.get(place)?.stamp === stamp) continue
      await this.#here.run(project_id, () => this.#readAgain(project_id, kb_id))
    }
    // oxlint-enable no-await-in-loop
    this.#version = version
  }

  /** Finds a document as it is kept now. */
  async #readAgain(projectId: string, kbId: string): Promise<void> {
    const document = await this.#store.get(projectId, kbId)
    await (document === undefined ? this.#forget(projectId, kbId) : this.#find(document))
  }

  get #isShared(): boolean {
    return this.#sharing !== undefined && this.#sharing.versions !== nobodyElse
  }

  async #search(base: KnowledgeBase, query: string, limit: number): Promise<readonly KnowledgeHit[]> {
    if (this.#embedder === undefined) return await base.search(query, limit)
    try {
      const [vector] = await this.#embedder.embed([query], QUERY_MS)
      return await base.search(query, limit, vector && { model: this.#embedder.model, vector })
    } catch (error) {
      this.#log?.warn({ err: error }, 'The embeddings endpoint failed; documents are found by their words alone')
      return await base.search(query, limit)
    }
  }

  /** The document with its vectors; without when there is no endpoint, or none that answers. */
  async #embedded(document: KnowledgeDocument): Promise<KnowledgeDocument> {
    if (this.#embedder === undefined) return document
    try {
      const texts = document.sections.map(({ title, text }) => `${title ?? document.title}\n${text}`)
      const vectors = await this.#embedder.embed(texts, DOCUMENT_MS, this.#closing.signal)
      return { ...document, embedding: { model: this.#embedder.model, vectors: vectors.map(textOfVector) } }
    } catch (error) {
      if (!this.#closing.signal.aborted) {
        this.#log?.warn({ err: error, document: document.kb_id }, 'A document got no vectors; it is found by its words')
      }
      return document
    }
  }

  /** In its turn. */
  async #keep(document: KnowledgeDocument): Promise<boolean> {
    const replaced = await this.#store.put(document)
    await this.#find(document)
    return replaced
  }

  async #find(document: KnowledgeDocument): Promise<void> {
    await this.#baseOf(document.project_id).put(document)
    if (this.#isShared) this.#found.set(placeOf(document), stampOf(document))
  }

  async #forget(projectId: string, kbId: string): Promise<void> {
    await this.#byProject.get(projectId)?.remove(kbId)
    this.#found.delete(placeOf({ project_id: projectId, kb_id: kbId }))
  }

  /** In its turn: while its vectors were made, the document may have been replaced or removed. */
  async #keepIfUnchanged(document: KnowledgeDocument): Promise<void> {
    const kept = await this.#store.get(document.project_id, document.kb_id)
    if (kept?.imported_at === document.imported_at) await this.#keep(document)
  }

  #run<T>(projectId: string, work: () => Promise<T>): Promise<T> {
    return this.#turns.run(`${this.kind} ${projectId}`, ({ mayWrite }) =>
      this.#here.run(projectId, () => {
        mayWrite()
        return work()
      }),
    )
  }

  #baseOf(projectId: string): KnowledgeBase {
    const known = this.#byProject.get(projectId)
    if (known !== undefined) return known
    const base = new KnowledgeBase([])
    this.#byProject.set(projectId, base)
    return base
  }
}
