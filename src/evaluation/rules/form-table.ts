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

/**
 * Remembers what stands for each word as it is written. It looks words up where they stand in a text: a map would want
 * each of them cut out and hashed first, which took three times as long.
 */
export class FormTable {
  #written: (string | undefined)[] = Array.from({ length: FIRST_SLOTS })
  #forms: (readonly string[] | undefined)[] = Array.from({ length: FIRST_SLOTS })
  #hashes = new Int32Array(FIRST_SLOTS)
  /** Equal forms as one string: looking for a string where it is itself the key takes a third of the time. */
  readonly #same = new Map<string, string>()
  #size = 0
  readonly #formsOf: (written: string) => readonly string[]

  /** @param formsOf what is remembered: it depends on nothing but the word */
  constructor(formsOf: (written: string) => readonly string[]) {
    this.#formsOf = formsOf
  }

  /** The forms of the word that stands between two places of a text. @param hash see `hashed` */
  at(text: string, from: number, to: number, hash: number): readonly string[] {
    const mask = this.#hashes.length - 1
    const length = to - from
    for (let place = 0; place < MOST_PLACES; place += 1) {
      const slot = (hash + place) & mask
      const written = this.#written[slot]
      if (written === undefined) break
      if (this.#hashes[slot] === hash && written.length === length && isAt(written, text, from)) {
        return this.#forms[slot]!
      }
    }
    const written = text.slice(from, to)
    const forms = this.#formsOf(written)
    return length <= LONGEST_WORD ? this.#add(written, forms, hash) : forms
  }

  #add(written: string, found: readonly string[], hash: number): readonly string[] {
    if (this.#size >= MOST_WORDS) this.#forget()
    if (this.#size * 2 >= this.#hashes.length) this.#grow()
    this.#size += 1
    const forms = found.map(form => this.#sameAs(form))
    this.#put(flat(written), forms, hash)
    return forms
  }

  #sameAs(form: string): string {
    const known = this.#same.get(form)
    if (known !== undefined) return known
    const own = flat(form)
    this.#same.set(own, own)
    return own
  }

  #put(written: string, forms: readonly string[], hash: number): void {
    const mask = this.#hashes.length - 1
    for (let place = 0; place < MOST_PLACES; place += 1) {
      const slot = (hash + place) & mask
      if (this.#written[slot] !== undefined) continue
      this.#written[slot] = written
      this.#forms[slot] = forms
      this.#hashes[slot] = hash
      return
    }
  }

  #forget(): void {
    this.#make(FIRST_SLOTS)
    this.#same.clear()
    this.#size = 0
  }

  #make(slots: number): void {
    this.#written = Array.from({ length: slots })
    this.#forms = Array.from({ length: slots })
    this.#hashes = new Int32Array(slots)
  }

  #grow(): void {
    const [written, forms, hashes] = [this.#written, this.#forms, this.#hashes]
    this.#make(hashes.length * 2)
    written.forEach((one, slot) => one !== undefined && this.#put(one, forms[slot]!, hashes[slot]!))
  }
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
