import type { Words } from './words.js'

/** What is found in words that are kept (`Words.kept`): it is looked for once. */
export class OfWords<T> {
  /** By the place at which words are kept: those that were looked at last, and what was found. */
  readonly #words: (Words | undefined)[] = []
  readonly #found: T[] = []

  /** What is found in words. @param find depends on nothing but them */
  of(words: Words, find: (words: Words) => T): T {
    const { kept } = words
    if (kept < 0) return find(words)
    if (this.#words[kept] === words) return this.#found[kept]!
    const found = find(words)
    // Without gaps: a list with gaps is a map.
    for (let next = this.#words.length; next < kept; next += 1) {
      this.#words.push(undefined)
      this.#found.push(found)
    }
    this.#words[kept] = words
    this.#found[kept] = found
    return found
  }
}
