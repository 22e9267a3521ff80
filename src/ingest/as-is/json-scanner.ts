import type { FieldShape, JsonShape, ListShape, NumberShape, ObjectShape, TextShape, WordShape } from './json-shape.js'

/** What a scan gives back for what it doesn't take. */
export const NOT_TAKEN = Symbol('not taken')

const SPACE = 0x20
const QUOTE = 0x22
const COMMA = 0x2c
const MINUS = 0x2d
const POINT = 0x2e
const ZERO = 0x30
const NINE = 0x39
const COLON = 0x3a
const OPEN_LIST = 0x5b
const BACKSLASH = 0x5c
const END_LIST = 0x5d
const UNDERSCORE = 0x5f
const LETTER_N = 0x6e
const OPEN_OBJECT = 0x7b
const END_OBJECT = 0x7d

/** What a byte of a text may be: a character, the end of the text, or the beginning of something longer. */
const [CHARACTER, END, ESCAPE, LATIN, SIGN, NOTHING] = [0, 1, 2, 3, 4, 5]
const BYTES = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === QUOTE) return END
  if (byte === BACKSLASH) return ESCAPE
  if (byte >= SPACE && byte <= 0x7e) return CHARACTER
  // À to ÿ, and – to … (U+2010 to U+2026).
  if (byte === 0xc3) return LATIN
  return byte === 0xe2 ? SIGN : NOTHING
})

/** Digits that a number keeps whichever way it is read and written. */
const MOST_DIGITS = 15
/** Zeros behind the point from which on JavaScript writes a number otherwise. */
const MOST_ZEROS = 5
const POWERS = Float64Array.from({ length: 22 }, (_, power) => Number(`1e${power}`))

const MOST_DEPTH = 8
/** Fields of an open object: each is compared with those before it. */
const MOST_OPEN_FIELDS = 64

/** Of February the 29th is read in the usual way. */
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const
const INSTANT = Buffer.from('0000-00-00T00:00:00.000Z"')

const TRUE = Buffer.from('true')
const FALSE = Buffer.from('false')

/**
 * Says whether JSON in UTF-8 is of a shape and just what `JSON.stringify(JSON.parse(text))` would give, without making values of it:
 * nothing between its parts, no key twice, no null, no number that would be written otherwise, no characters but those of ASCII, Latin
 * letters and a few signs. To much that is so too it says no: whoever asks reads that in the usual way.
 */
export class JsonScanner {
  #bytes: Buffer = Buffer.alloc(0)
  #at = 0

  /** What is kept (see Keep) of the JSON between two places of `bytes`, or NOT_TAKEN. */
  scan(bytes: Buffer, start: number, end: number, shape: JsonShape): unknown {
    this.#bytes = bytes
    this.#at = start
    const kept = this.#value(shape)
    return this.#at === end ? kept : NOT_TAKEN
  }

  #value({ kind, keep, is }: JsonShape): unknown {
    switch (kind) {
      case 'text':
        return this.#text(is, keep)
      case 'number':
        return this.#number(is, keep)
      case 'word':
        return this.#word(is, keep)
      case 'object':
        return this.#object(is, keep)
      case 'list':
        return this.#list(is, keep)
      case 'instant':
        return this.#instant(keep)
    }
  }

  /** Whether the byte is next, which is then behind. */
  #took(byte: number): boolean {
    if (this.#bytes[this.#at] !== byte) return false
    this.#at += 1
    return true
  }

  /** Whether the bytes are next, which are then behind. */
  #tookAll(wanted: Uint8Array): boolean {
    const bytes = this.#bytes
    const at = this.#at
    for (let i = 0; i < wanted.length; i += 1) if (bytes[at + i] !== wanted[i]) return false
    this.#at = at + wanted.length
    return true
  }

  #text({ least, most, name, holds }: TextShape, keep: boolean): unknown {
    const bytes = this.#bytes
    if (!this.#took(QUOTE)) return NOT_TAKEN
    const start = this.#at
    if (!this.#toEnd(!name)) return NOT_TAKEN
    const end = this.#at - 1
    // Of bytes there are as many as of characters, or more.
    if (end - start < least || end - start > most) return NOT_TAKEN
    if (name && (bytes[start] === SPACE || bytes[end - 1] === SPACE)) return NOT_TAKEN
    if (!keep && holds === undefined) return undefined
    const text = bytes.toString('utf8', start, end)
    if (holds?.(text) === false) return NOT_TAKEN
    return keep ? text : undefined
  }

  /** Goes behind the end of a text. @param escapes whether it may hold any: those that JSON writes for quotes and lines */
  #toEnd(escapes: boolean): boolean {
    const bytes = this.#bytes
    let at = this.#at
    for (;;) {
      const kind = BYTES[bytes[at] ?? 0]
      at += 1
      if (kind === CHARACTER) continue
      if (kind === END) break
      const next = bytes[at] ?? 0
      if (kind === LATIN) {
        if (next < 0x80 || next > 0xbf) return false
        at += 1
      } else if (kind === SIGN) {
        const last = bytes[at + 1] ?? 0
        if (next !== 0x80 || last < 0x90 || last > 0xa6) return false
        at += 2
      } else {
        if (kind !== ESCAPE || !escapes || (next !== QUOTE && next !== BACKSLASH && next !== LETTER_N)) return false
        at += 1
      }
    }
    this.#at = at
    return true
  }

  #word(words: readonly WordShape[], keep: boolean): unknown {
    for (const { word, quoted } of words) if (this.#tookAll(quoted)) return keep ? word : undefined
    return NOT_TAKEN
  }

  #number({ least, most, whole }: NumberShape, keep: boolean): unknown {
    const value = this.#figure(whole)
    if (Number.isNaN(value) || value < least || value > most) return NOT_TAKEN
    return keep ? value : undefined
  }

  /** A number as JavaScript writes it, without an exponent; else NaN. */
  #figure(whole: boolean): number {
    const bytes = this.#bytes
    let at = this.#at
    const negative = bytes[at] === MINUS
    if (negative) at += 1
    const start = at
    let value = 0
    let byte = bytes[at] ?? 0
    while (byte >= ZERO && byte <= NINE) {
      value = value * 10 + byte - ZERO
      byte = bytes[(at += 1)] ?? 0
    }
    let digits = at - start
    if (digits === 0 || (digits > 1 && bytes[start] === ZERO)) return Number.NaN
    if (byte === POINT) {
      if (whole) return Number.NaN
      const isSmall = value === 0
      const point = at
      byte = bytes[(at += 1)] ?? 0
      while (byte >= ZERO && byte <= NINE) {
        value = value * 10 + byte - ZERO
        if (isSmall && value === 0 && at - point > MOST_ZEROS) return Number.NaN
        byte = bytes[(at += 1)] ?? 0
      }
      const places = at - point - 1
      digits += places
      // It would be written without the zero at its end, or without the point.
      if (places === 0 || bytes[at - 1] === ZERO || digits > MOST_DIGITS) return Number.NaN
      value /= POWERS[places] ?? Number.NaN
    }
    if (digits > MOST_DIGITS || (negative && value === 0)) return Number.NaN
    this.#at = at
    return negative ? -value : value
  }

  #list({ of, least, most }: ListShape, keep: boolean): unknown {
    const kept: unknown[] | undefined = keep ? [] : undefined
    if (!this.#took(OPEN_LIST)) return NOT_TAKEN
    let length = 0
    if (!this.#took(END_LIST)) {
      do {
        const value = this.#value(of)
        if (value === NOT_TAKEN) return NOT_TAKEN
        kept?.push(value)
        length += 1
      } while (this.#took(COMMA))
      if (!this.#took(END_LIST)) return NOT_TAKEN
    }
    return length < least || length > most ? NOT_TAKEN : kept
  }

  #object({ fields, required, open }: ObjectShape, keep: boolean): unknown {
    const kept: Record<string, unknown> | undefined = keep ? {} : undefined
    if (!this.#took(OPEN_OBJECT)) return NOT_TAKEN
    let seen = 0
    let others: number[] | undefined
    if (!this.#took(END_OBJECT)) {
      let expected = 0
      do {
        const index = this.#field(fields, expected)
        const field = fields[index]
        if (field === undefined) {
          if (!open || !this.#openField((others ??= []), 1)) return NOT_TAKEN
        } else {
          if ((seen & field.bit) !== 0) return NOT_TAKEN
          seen |= field.bit
          expected = index + 1
          const value = this.#value(field.shape)
          if (value === NOT_TAKEN) return NOT_TAKEN
          if (kept !== undefined && field.shape.keep) kept[field.name] = value
        }
      } while (this.#took(COMMA))
      if (!this.#took(END_OBJECT)) return NOT_TAKEN
    }
    return (seen & required) === required ? kept : NOT_TAKEN
  }

  /** The field whose name is next, which is then behind; looked for from the one that mostly comes. -1 when it is none. */
  #field(fields: readonly FieldShape[], expected: number): number {
    const first = this.#bytes[this.#at + 1]
    const { length } = fields
    let index = expected
    for (let tried = 0; tried < length; tried += 1) {
      if (index === length) index = 0
      const field = fields[index]!
      if (field.quoted[1] === first && this.#tookAll(field.quoted)) return index
      index += 1
    }
    return -1
  }

  #instant(keep: boolean): unknown {
    const start = this.#at + 1
    if (!this.#took(QUOTE) || !this.#isLike(INSTANT)) return NOT_TAKEN
    const year = this.#two(start) * 100 + this.#two(start + 2)
    const days = DAYS[this.#two(start + 5) - 1] ?? 0
    const day = this.#two(start + 8)
    if (year < 1970 || year >= 2200 || day < 1 || day > days) return NOT_TAKEN
    if (this.#two(start + 11) > 23 || this.#two(start + 14) > 59 || this.#two(start + 17) > 59) return NOT_TAKEN
    this.#at = start + INSTANT.length
    return keep ? this.#bytes.toString('latin1', start, this.#at - 1) : undefined
  }

  /** Whether what is next is like a pattern, whose zeros are digits. */
  #isLike(pattern: Uint8Array): boolean {
    const bytes = this.#bytes
    const at = this.#at
    for (let i = 0; i < pattern.length; i += 1) {
      const byte = bytes[at + i] ?? 0
      if (pattern[i] === ZERO ? byte < ZERO || byte > NINE : byte !== pattern[i]) return false
    }
    return true
  }

  /** The number of two digits at a place. */
  #two(at: number): number {
    return ((this.#bytes[at] ?? 0) - ZERO) * 10 + (this.#bytes[at + 1] ?? 0) - ZERO
  }

  /** A value of any shape; nothing of it is kept. */
  #open(depth: number): unknown {
    const byte = this.#bytes[this.#at] ?? 0
    if (byte === QUOTE) {
      this.#at += 1
      return this.#toEnd(true) ? undefined : NOT_TAKEN
    }
    if (byte === MINUS || (byte >= ZERO && byte <= NINE))
      return Number.isNaN(this.#figure(false)) ? NOT_TAKEN : undefined
    if (this.#tookAll(TRUE) || this.#tookAll(FALSE)) return undefined
    if (depth === MOST_DEPTH) return NOT_TAKEN
    if (this.#took(OPEN_LIST)) return this.#openList(depth + 1)
    return this.#took(OPEN_OBJECT) ? this.#openObject(depth + 1) : NOT_TAKEN
  }

  #openList(depth: number): unknown {
    if (this.#took(END_LIST)) return undefined
    do if (this.#open(depth) === NOT_TAKEN) return NOT_TAKEN
    while (this.#took(COMMA))
    return this.#took(END_LIST) ? undefined : NOT_TAKEN
  }

  #openObject(depth: number): unknown {
    if (this.#took(END_OBJECT)) return undefined
    const names: number[] = []
    do if (!this.#openField(names, depth)) return NOT_TAKEN
    while (this.#took(COMMA))
    return this.#took(END_OBJECT) ? undefined : NOT_TAKEN
  }

  /** A field of any name and shape. @param names where those before it in its object begin and end */
  #openField(names: number[], depth: number): boolean {
    if (!this.#took(QUOTE)) return false
    const start = this.#at
    const first = this.#bytes[start] ?? 0
    // JavaScript puts numbers before other names, and names that begin with two underscores may mean something to it.
    if (first === QUOTE || first === UNDERSCORE || (first >= ZERO && first <= NINE)) return false
    if (!this.#toEnd(false)) return false
    const end = this.#at
    for (let i = 0; i < names.length; i += 2) if (this.#isSame(names[i]!, names[i + 1]!, start, end)) return false
    if (names.length === 2 * MOST_OPEN_FIELDS) return false
    names.push(start, end)
    return this.#took(COLON) && this.#open(depth) !== NOT_TAKEN
  }

  #isSame(start: number, end: number, otherStart: number, otherEnd: number): boolean {
    return (
      end - start === otherEnd - otherStart && this.#bytes.compare(this.#bytes, start, end, otherStart, otherEnd) === 0
    )
  }
}
