import { hashed } from './form-table.js'

/** Texts that are kept; with more, all are forgotten, which bounds memory whatever is said. */
const MOST_TEXTS = 4_096
/** Longer texts are hardly said twice. */
const LONGEST_TEXT = 200
/** Texts that were met once are known by their hashes, in so many places. */
const MET_SLOTS = 16_384

/**
 * Keeps what is made of texts that are said again and again: "Okay.", "Is there anything else I can help you with?" A text is kept
 * from its second time on, so that what is said once costs no memory.
 */
export class TextsAgain<T> {
  readonly #made = new Map<string, T>()
  readonly #met = new Int32Array(MET_SLOTS)

  /**
   * What was made of a text, or is now.
   * @param make depends on nothing but the text; is told the place at which what it makes is kept, no two of which are kept at the
   *   same, or -1 where it is not
   */
  of(text: string, make: (text: string, kept: number) => T): T {
    const { length } = text
    if (length > LONGEST_TEXT) return make(text, -1)
    const known = this.#made.get(text)
    if (known !== undefined) return known
    let hash = length
    for (let at = 0; at < length; at += 1) hash = hashed(hash, text.charCodeAt(at))
    const slot = hash & (MET_SLOTS - 1)
    if (this.#met[slot] !== hash) {
      this.#met[slot] = hash
      return make(text, -1)
    }
    if (this.#made.size >= MOST_TEXTS) this.#made.clear()
    const made = make(text, this.#made.size)
    this.#made.set(text, made)
    return made
  }
}
