import type { RE2JS } from 're2js'
import type { Phrase } from '../rules/phrase.js'

/**
 * What the words of a rubric may cost. Reading them takes a time and a memory that grow with the places in all phrases,
 * lists written out (measured: 15 us and 200 bytes each), reading a turn one that grows with the instructions of all
 * patterns times its length (measured: up to 0.2 us for each and each character). The largest built-in rubric has 78,000
 * places and no pattern.
 */
export const MOST_PLACES = 400_000
export const MOST_INSTRUCTIONS = 2_000
/** Characters of phrases, lists written out: a list in a list in a list multiplies. */
export const MOST_WRITTEN_OUT = 4_000_000

/** Adds up what the words of a rubric cost. */
export class RubricCost {
  #places = 0
  #instructions = 0
  readonly #told = new Set<string>()

  /** @returns the end of a sentence, once, when it is more than there may be */
  addPhrase(phrase: Phrase): string | undefined {
    this.#places += placesOf(phrase)
    if (this.#places <= MOST_PLACES) return undefined
    return this.#once(
      'places',
      `makes the phrases of the rubric too many: with it they have ${this.#places} places for words, lists written out, and there may be ${MOST_PLACES}`,
    )
  }

  addPattern(pattern: RE2JS): string | undefined {
    this.#instructions += pattern.programSize()
    if (this.#instructions <= MOST_INSTRUCTIONS) return undefined
    return this.#once(
      'instructions',
      `makes the patterns of the rubric too costly: with it they have ${this.#instructions} instructions, and there may be ${MOST_INSTRUCTIONS}; phrases cost next to nothing`,
    )
  }

  #once(what: string, message: string): string | undefined {
    if (this.#told.has(what)) return undefined
    this.#told.add(what)
    return message
  }
}

/** Places for words in a phrase, those in its brackets included. */
function placesOf(phrase: Phrase): number {
  let places = 0
  for (const piece of phrase) {
    places += 1
    if (piece.kind === 'one_of') for (const sequence of piece.sequences) places += placesOf(sequence)
  }
  return places
}
