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
  readonly documents: number
  readonly #entries: readonly Entry[]
  readonly #index: MiniSearch<Entry>

  constructor(documents: readonly KnowledgeDocument[]) {
    this.documents = documents.length
    this.#entries = documents.flatMap(entriesOf).map((entry, id) => ({ ...entry, id }))
    this.#index = new MiniSearch<Entry>({
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
    this.#index.addAll(this.#entries)
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
    const entry = this.#entries[Number(result.id)]
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

function entriesOf(document: KnowledgeDocument): readonly Omit<Entry, 'id'>[] {
  return document.sections.map(({ title, text }) => {
    const whole = title === undefined || title === document.title ? document.title : `${document.title}: ${title}`
    return { document, title: whole, text }
  })
}
