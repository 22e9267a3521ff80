import MiniSearch, { type SearchResult } from 'minisearch'
import type { KnowledgeDocument } from '../../store/knowledge-store.js'
import { defined } from '../defined.js'
import { snippet } from './snippet.js'
import { termOf, wordsOf } from './words.js'

/** A section that fits a query. */
export interface KnowledgeHit {
  /** The document it is of. */
  readonly kb_id: string
  readonly title: string
  readonly snippet: string
  /** 0–1: how it stands to the best section of this query, times the share of the query's words that it has. */
  readonly score: number
  readonly url?: string
}

interface Entry {
  readonly id: number
  readonly title: string
  readonly text: string
  readonly document: KnowledgeDocument
}

/** The documents of one project, indexed in memory: BM25 over stems, beginnings of words, and a typo or two. */
export class KnowledgeBase {
  readonly #entries = new Map<number, Entry>()
  readonly #ofDocument = new Map<string, readonly number[]>()
  readonly #index = new MiniSearch<Entry>({
    fields: ['title', 'text'],
    tokenize: text => wordsOf(text).map(word => word.text),
    processTerm: termOf,
    searchOptions: {
      boost: { title: 2 },
      prefix: term => term.length >= 3,
      // Short words are other words after one letter.
      fuzzy: term => (term.length >= 5 ? 0.2 : false),
      maxFuzzy: 2,
      weights: { fuzzy: 0.4, prefix: 0.6 },
    },
  })
  #nextId = 0

  constructor(documents: readonly KnowledgeDocument[]) {
    for (const document of documents) this.put(document)
  }

  /** How many documents there are. */
  get documents(): number {
    return this.#ofDocument.size
  }

  /** Adds a document, or replaces the one with its id. */
  put(document: KnowledgeDocument): void {
    this.remove(document.kb_id)
    const entries = sectionsOf(document).map(section => ({ ...section, document, id: this.#nextId++ }))
    for (const entry of entries) this.#entries.set(entry.id, entry)
    this.#index.addAll(entries)
    this.#ofDocument.set(
      document.kb_id,
      entries.map(entry => entry.id),
    )
  }

  remove(kbId: string): void {
    const ids = this.#ofDocument.get(kbId)
    if (ids === undefined) return
    this.#index.discardAll([...ids])
    for (const id of ids) this.#entries.delete(id)
    this.#ofDocument.delete(kbId)
  }

  /** The sections that fit best, best first. */
  search(query: string, limit: number): readonly KnowledgeHit[] {
    const asked = new Set(wordsOf(query).map(word => termOf(word.text))).size
    const results = this.#index.search(query)
    const best = results[0]?.score ?? 0
    return results
      .map(result => ({ result, score: (result.score / best) * (new Set(result.queryTerms).size / asked) }))
      .toSorted((a, b) => b.score - a.score || Number(a.result.id) - Number(b.result.id))
      .slice(0, limit)
      .flatMap(({ result, score }) => this.#hit(result, score))
  }

  #hit(result: SearchResult, score: number): KnowledgeHit[] {
    const entry = this.#entries.get(Number(result.id))
    if (entry === undefined) return []
    const { document, title, text } = entry
    return [
      defined({
        kb_id: document.kb_id,
        title,
        snippet: snippet(text, new Set(result.terms)),
        score: Math.round(score * 1000) / 1000,
        url: document.url,
      }),
    ]
  }
}

function sectionsOf(document: KnowledgeDocument): readonly Pick<Entry, 'title' | 'text'>[] {
  return document.sections.map(({ title, text }) => ({
    title: title === undefined || title === document.title ? document.title : `${document.title}: ${title}`,
    text,
  }))
}
