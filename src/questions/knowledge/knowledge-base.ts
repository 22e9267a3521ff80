import { otherWork } from '../../base/other-work.js'
import MiniSearch, { type SearchResult } from 'minisearch'
import type { KnowledgeDocument } from '../../store/records/knowledge-document.js'
import { defined } from '../defined.js'
import { cosine } from './embedder.js'
import { snippet } from './snippet.js'
import { vectorOf } from './vector-text.js'
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
  readonly vector?: Float32Array
}

/** A query as a vector, of one model. */
export interface QueryVector {
  readonly model: string
  readonly vector: Float32Array
}

/** Sections that are looked at because of their meaning alone. */
const NEAREST_SECTIONS = 50

/**
 * Most words of a query for which others that begin alike or differ by a typo are looked for too: that goes through the
 * whole vocabulary for each of them, in the thread that answers everyone. Who writes more has words enough.
 */
const MOST_WIDENED = 16

/**
 * Sections that are looked at for the words of a query, each counted as often as a word like one of them stands in it; for one word at
 * most (some 40 ms), and at least. A word that more sections have than that tells them hardly apart, and counts in the first of them.
 */
const MOST_LOOKED_AT = 100_000
const MOST_FOR_A_WORD = 20_000
const LEAST_FOR_A_WORD = 2_000

/** Sections, and UTF-16 units of them, that are indexed before others get their turn: some milliseconds. */
const SECTIONS_AT_ONCE = 10
const UNITS_AT_ONCE = 20_000

/**
 * How much of a section's score is by words where meaning counts too: a convex combination of both, after Bruch, Gai and
 * Ingber (2023), who find it to rank better than fusing ranks.
 */
const BY_WORDS = 0.5

/**
 * The documents of one project, indexed in memory: BM25 over stems, beginnings of words, and a typo or two; by nearness
 * in meaning as well where the query comes with a vector.
 */
export class KnowledgeBase {
  readonly #entries = new Map<number, Entry>()
  readonly #ofDocument = new Map<string, readonly number[]>()
  readonly #index = new MiniSearch<Entry>({
    fields: ['title', 'text'],
    tokenize: text => wordsOf(text).map(word => word.text),
    processTerm: termOf,
    searchOptions: {
      boost: { title: 2 },
      maxFuzzy: 2,
      weights: { fuzzy: 0.4, prefix: 0.6 },
    },
  })
  #nextId = 0

  constructor(documents: readonly KnowledgeDocument[]) {
    for (const document of documents) {
      const entries = this.#entriesOf(document)
      this.#index.addAll(entries)
      this.#found(document, entries)
    }
  }

  /** How many documents there are. */
  get documents(): number {
    return this.#ofDocument.size
  }

  /**
   * Adds a document, or replaces the one with its id, which is found until the new one is: a large one takes seconds. What
   * changes a document comes after what changed it before has resolved.
   */
  async put(document: KnowledgeDocument): Promise<void> {
    const entries = this.#entriesOf(document)
    await inTurns(entries, entry => this.#index.add(entry))
    const before = this.#forget(document.kb_id)
    this.#found(document, entries)
    await this.#unindex(before)
  }

  /** From now on nothing of a document is found; a large one is out of the index some seconds later, when it resolves. */
  async remove(kbId: string): Promise<void> {
    await this.#unindex(this.#forget(kbId))
  }

  #forget(kbId: string): readonly Entry[] {
    const entries = (this.#ofDocument.get(kbId) ?? []).flatMap(id => this.#entries.get(id) ?? [])
    for (const { id } of entries) this.#entries.delete(id)
    this.#ofDocument.delete(kbId)
    return entries
  }

  /**
   * Takes sections out of the index. Not the library's way of discarding them and cleaning up behind: a search during that
   * changes the tree that is being gone through, and the failure has nobody to catch it, which ended the process.
   */
  async #unindex(entries: readonly Entry[]): Promise<void> {
    await inTurns(entries, entry => this.#index.remove(entry))
  }

  /** The sections that fit best, best first; looked for a word at a time, while others get their turn. */
  async search(query: string, limit: number, meaning?: QueryVector): Promise<readonly KnowledgeHit[]> {
    const words = await this.#byWords(query)
    const found = meaning === undefined ? words : this.#withMeaning(words, meaning)
    return found
      .toSorted((a, b) => b.score - a.score || a.entry.id - b.entry.id)
      .slice(0, limit)
      .map(hitOf)
  }

  #entriesOf(document: KnowledgeDocument): readonly Entry[] {
    return sectionsOf(document).map(section => ({ ...section, document, id: this.#nextId++ }))
  }

  /** From now on what was indexed is found. */
  #found(document: KnowledgeDocument, entries: readonly Entry[]): void {
    for (const entry of entries) this.#entries.set(entry.id, entry)
    this.#ofDocument.set(
      document.kb_id,
      entries.map(entry => entry.id),
    )
  }

  /** A section's score is the sum of what its words score, times how many of them it has: BM25 as the library sums it. */
  async #byWords(query: string): Promise<readonly Found[]> {
    const asked = new Set(wordsOf(query).map(word => termOf(word.text)))
    const isWidened = asked.size <= MOST_WIDENED
    const most = Math.min(MOST_FOR_A_WORD, Math.max(LEAST_FOR_A_WORD, Math.floor(MOST_LOOKED_AT / asked.size)))
    const found = new Map<number, { sum: number; words: number; readonly terms: Set<string> }>()
    for (const word of asked) {
      for (const { id, score, terms } of this.#sectionsWith(word, isWidened, most)) {
        const one = found.get(Number(id)) ?? { sum: 0, words: 0, terms: new Set() }
        found.set(Number(id), one)
        one.sum += score
        one.words += 1
        for (const term of terms) one.terms.add(term)
      }
      // oxlint-disable-next-line no-await-in-loop
      await otherWork()
    }
    let best = 0
    for (const { sum, words } of found.values()) best = Math.max(best, sum * words)
    return [...found].flatMap(([id, { sum, words, terms }]) => {
      // It may have been taken out since.
      const entry = this.#entries.get(id)
      return entry === undefined ? [] : [{ entry, score: ((sum * words) / best) * (words / asked.size), terms }]
    })
  }

  #sectionsWith(word: string, isWidened: boolean, most: number): readonly SearchResult[] {
    let lookedAt = 0
    return this.#index.search(word, {
      tokenize: text => [text],
      processTerm: term => term,
      prefix: isWidened && word.length >= 3,
      // Short words are other words after one letter.
      fuzzy: isWidened && word.length >= 5 && 0.2,
      boostDocument: id => {
        if (!this.#entries.has(Number(id))) return 0
        lookedAt += 1
        return lookedAt > most ? 0 : 1
      },
    })
  }

  #withMeaning(words: readonly Found[], { model, vector }: QueryVector): readonly Found[] {
    const nearness = ({ document, vector: own }: Entry) =>
      own === undefined || document.embedding?.model !== model ? 0 : Math.max(0, cosine(own, vector))
    const near = [...this.#entries.values()]
      .map(entry => ({ entry, score: nearness(entry), terms: new Set<string>() }))
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score)
      .slice(0, NEAREST_SECTIONS)
    const byWords = new Map(words.map(found => [found.entry.id, found]))
    const others = near.filter(({ entry }) => !byWords.has(entry.id))
    return [
      ...words.map(found => ({ ...found, score: BY_WORDS * found.score + (1 - BY_WORDS) * nearness(found.entry) })),
      ...others.map(found => ({ ...found, score: (1 - BY_WORDS) * found.score })),
    ]
  }
}

async function inTurns(entries: readonly Entry[], act: (entry: Entry) => void): Promise<void> {
  let sections = 0
  // This turn is spent: whoever brought them read and kept them in it.
  let units = UNITS_AT_ONCE
  for (const entry of entries) {
    if (sections >= SECTIONS_AT_ONCE || units >= UNITS_AT_ONCE) {
      // oxlint-disable-next-line no-await-in-loop
      await otherWork()
      sections = 0
      units = 0
    }
    act(entry)
    sections += 1
    units += entry.title.length + entry.text.length
  }
}

interface Found {
  readonly entry: Entry
  readonly score: number
  /** What of the section was found by words. */
  readonly terms: ReadonlySet<string>
}

function hitOf({ entry: { document, title, text }, score, terms }: Found): KnowledgeHit {
  return defined({
    kb_id: document.kb_id,
    title,
    snippet: snippet(text, terms),
    score: Math.round(score * 1000) / 1000,
    url: document.url,
  })
}

function sectionsOf(document: KnowledgeDocument): readonly Pick<Entry, 'title' | 'text' | 'vector'>[] {
  return document.sections.map(({ title, text }, i) => {
    const vector = document.embedding?.vectors[i]
    return {
      title: title === undefined || title === document.title ? document.title : `${document.title}: ${title}`,
      text,
      ...(vector === undefined ? {} : { vector: vectorOf(vector) }),
    }
  })
}
