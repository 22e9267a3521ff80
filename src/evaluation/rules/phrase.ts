import type { Language } from './languages/language.js'
import { wordsOf } from './words.js'

/** A piece of a phrase: a word, what stands in a word's place, or one of several sequences of pieces. */
export type Piece =
  | { readonly kind: 'word'; readonly word: string }
  /** Any word. */
  | { readonly kind: 'any' }
  /** A word of a number. */
  | { readonly kind: 'number' }
  /** The name of the call's company, or of its agent, as the record has it. */
  | { readonly kind: 'company' }
  | { readonly kind: 'agent' }
  /** A comma, the end of a sentence, or the end of the turn. */
  | { readonly kind: 'pause' }
  | { readonly kind: 'one_of'; readonly sequences: readonly Phrase[] }

export type Phrase = readonly Piece[]

/** Words that `~` may stand for, at most. */
const MOST_LOOSE_WORDS = 3
/** Deepest brackets in brackets. */
const DEEPEST_BRACKETS = 20

/**
 * Reads a phrase. `(a|b)` is one of several, `[a]` may be missing, `*` is any word, `~` up to three of any words,
 * `{number}` a word of a number, `{company}` and `{agent}` the names the record has, `|` alone a pause or the end.
 *
 * @throws RangeError with a sentence for what can't be read
 */
export function parsePhrase(text: string, language: Language): Phrase {
  const phrase = new Reader(text, language).phrase()
  if (!says(phrase)) throw new RangeError('a phrase needs at least one word')
  return phrase
}

const SPECIAL = /[()[\]|*~]|\{[a-z]*\}|[^()[\]|*~{}]+|[{}]/gu

class Reader {
  readonly #pieces: readonly string[]
  readonly #language: Language
  #at = 0

  constructor(text: string, language: Language) {
    this.#language = language
    this.#pieces = text.match(SPECIAL) ?? []
  }

  phrase(): Phrase {
    return this.#sequences(undefined, 0)[0] ?? []
  }

  /** Reads up to the closing bracket. */
  #sequences(close: ')' | ']' | undefined, depth: number): readonly Phrase[] {
    if (depth > DEEPEST_BRACKETS) throw new RangeError('its brackets are too deep')
    const found: Piece[][] = []
    let current: Piece[] = []
    while (this.#at < this.#pieces.length) {
      const piece = this.#pieces[this.#at]!
      this.#at += 1
      if (piece === close) return [...found, current]
      if (piece === '|' && close !== undefined) {
        found.push(current)
        current = []
      } else current.push(...this.#read(piece, depth))
    }
    if (close !== undefined) throw new RangeError(`a bracket is not closed: ${close} is missing`)
    return [current]
  }

  #read(piece: string, depth: number): Phrase {
    switch (piece) {
      case '(':
        return [{ kind: 'one_of', sequences: this.#sequences(')', depth + 1) }]
      case '[':
        return [{ kind: 'one_of', sequences: [[], ...this.#sequences(']', depth + 1)] }]
      case '*':
        return [{ kind: 'any' }]
      case '~':
        return Array.from(
          { length: MOST_LOOSE_WORDS },
          () => ({ kind: 'one_of', sequences: [[], [{ kind: 'any' }]] }) as const,
        )
      case '{number}':
        return [{ kind: 'number' }]
      case '|':
        return [{ kind: 'pause' }]
      case '{company}':
        return [{ kind: 'company' }]
      case '{agent}':
        return [{ kind: 'agent' }]
      default:
        break
    }
    if (/^[)\]{}]/.test(piece)) throw new RangeError(`${piece} has no meaning here`)
    return wordsOf(piece, this.#language).words.map(({ text }) => ({ kind: 'word', word: text }))
  }
}

/** Whether something in particular is said, whichever way the phrase is followed. */
function says(phrase: Phrase): boolean {
  return phrase.some(piece =>
    piece.kind === 'one_of'
      ? piece.sequences.every(sequence => says(sequence))
      : piece.kind !== 'any' && piece.kind !== 'pause',
  )
}
