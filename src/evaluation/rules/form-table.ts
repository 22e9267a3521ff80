import type { NumberWords } from './languages/number-words.js'
import { isCode, isNumberWord } from './numbers.js'

/** Words there is room for at first. */
const FIRST_SLOTS = 4_096
/** Most words it holds; with more it begins anew, which bounds its memory. */
const MOST_WORDS = 50_000
/**
 * Most places a word is looked for at. Whoever writes a transcript could choose words that all have one hash: what finds no
 * place is not remembered, so that a text takes time by its length and not by its square.
 */
const MOST_PLACES = 16
/** Longer words are written so rarely that they are not worth their place. */
const LONGEST_WORD = 40
/** Letters by which words are of one stem: "refund", "refunded". */
const STEM = 5

/**
 * A word as phrases see it, with what is known of it by itself. Equal words are one as long as the table remembers them, so that
 * what is asked of each word of each call is found out once.
 */
export interface Form {
  readonly text: string
  /** Its number among those the table remembers; -1 of one that it doesn't. */
  readonly number: number
  /** Whether it is a word of a number, or part of a code. */
  readonly kind: 'word' | 'number' | 'code'
  /** Undefined of a short word. */
  readonly stem: string | undefined
}

/** What stands for a word as it is written. */
interface Written {
  readonly text: string
  readonly hash: number
  readonly forms: readonly Form[]
}

/**
 * Remembers what stands for each word as it is written. It looks words up where they stand in a text: a map would want
 * each of them cut out and hashed first, which took three times as long.
 */
export class FormTable {
  #slots: (Written | undefined)[] = Array.from({ length: FIRST_SLOTS })
  readonly #known = new Map<string, Form>()
  #size = 0
  readonly #formsOf: (written: string) => readonly string[]
  readonly #numbers: NumberWords

  /** @param formsOf what is remembered: it depends on nothing but the word */
  constructor(formsOf: (written: string) => readonly string[], numbers: NumberWords) {
    this.#formsOf = formsOf
    this.#numbers = numbers
  }

  /** The forms of the word that stands between two places of a text. @param hash see `hashed` */
  at(text: string, from: number, to: number, hash: number): readonly Form[] {
    const slots = this.#slots
    const mask = slots.length - 1
    const length = to - from
    for (let place = 0; place < MOST_PLACES; place += 1) {
      const written = slots[(hash + place) & mask]
      if (written === undefined) break
      if (written.hash === hash && written.text.length === length && isAt(written.text, text, from)) {
        return written.forms
      }
    }
    const written = text.slice(from, to)
    const forms = this.#formsOf(written)
    return length <= LONGEST_WORD ? this.#add(written, forms, hash) : forms.map(form => formOf(form, -1, this.#numbers))
  }

  #add(written: string, found: readonly string[], hash: number): readonly Form[] {
    if (this.#size >= MOST_WORDS) this.#forget()
    if (this.#size * 2 >= this.#slots.length) this.#grow()
    this.#size += 1
    const forms = found.map(form => this.#known.get(form) ?? this.#know(form))
    this.#put({ text: flat(written), hash, forms })
    return forms
  }

  #know(text: string): Form {
    const own = formOf(flat(text), this.#known.size, this.#numbers)
    this.#known.set(own.text, own)
    return own
  }

  #put(written: Written): void {
    const mask = this.#slots.length - 1
    for (let place = 0; place < MOST_PLACES; place += 1) {
      const slot = (written.hash + place) & mask
      if (this.#slots[slot] !== undefined) continue
      this.#slots[slot] = written
      return
    }
  }

  #forget(): void {
    this.#slots = Array.from({ length: FIRST_SLOTS })
    this.#known.clear()
    this.#size = 0
  }

  #grow(): void {
    const slots = this.#slots
    this.#slots = Array.from({ length: slots.length * 2 })
    for (const one of slots) if (one !== undefined) this.#put(one)
  }
}

function formOf(text: string, number: number, numbers: NumberWords): Form {
  const kind = isNumberWord(text, numbers) ? 'number' : isCode(text, numbers) ? 'code' : 'word'
  return { text, number, kind, stem: stemOf(text) }
}

/** What a longer word has in common with others of its stem. */
export function stemOf(word: string): string | undefined {
  return word.length >= STEM ? flat(word.slice(0, STEM)) : undefined
}

/** A copy: a part of a text would keep the whole text. */
const flat = (part: string): string => Buffer.from(part, 'utf16le').toString('utf16le')

/** A word's hash, unit by unit (FNV-1a); it begins with 0. */
export function hashed(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x01_00_01_93)
}

function isAt(written: string, text: string, from: number): boolean {
  for (let at = 0; at < written.length; at += 1) {
    if (written.charCodeAt(at) !== text.charCodeAt(from + at)) return false
  }
  return true
}
