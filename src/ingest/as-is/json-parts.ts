/** Parts of JSON as `JSON.stringify` writes them: each function goes from a place in bytes to the one behind the part, or gives NONE. */
export const NONE = -1

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
 * The rest of a text, behind its first quote.
 * @param escapes whether it may hold any: those that JSON writes for quotes and lines
 */
export function behindText(bytes: Buffer, from: number, escapes: boolean): number {
  let at = from
  for (;;) {
    const kind = BYTES[bytes[at] ?? 0]
    at += 1
    if (kind === CHARACTER) continue
    if (kind === END) return at
    const next = bytes[at] ?? 0
    if (kind === LATIN) {
      if (next < 0x80 || next > 0xbf) return NONE
      at += 1
    } else if (kind === SIGN) {
      const last = bytes[at + 1] ?? 0
      if (next !== 0x80 || last < 0x90 || last > 0xa6) return NONE
      at += 2
    } else {
      if (kind !== ESCAPE || !escapes || (next !== QUOTE && next !== BACKSLASH && next !== LETTER_N)) return NONE
      at += 1
    }
  }
}

/** A number without an exponent. @param value takes it as its first */
export function behindNumber(bytes: Buffer, from: number, whole: boolean, value: Float64Array): number {
  let at = from
  const negative = bytes[at] === MINUS
  if (negative) at += 1
  const start = at
  let read = 0
  let byte = bytes[at] ?? 0
  while (byte >= ZERO && byte <= NINE) {
    read = read * 10 + byte - ZERO
    byte = bytes[(at += 1)] ?? 0
  }
  let digits = at - start
  if (digits === 0 || (digits > 1 && bytes[start] === ZERO)) return NONE
  if (byte === POINT) {
    if (whole) return NONE
    const isSmall = read === 0
    const point = at
    byte = bytes[(at += 1)] ?? 0
    while (byte >= ZERO && byte <= NINE) {
      read = read * 10 + byte - ZERO
      if (isSmall && read === 0 && at - point > MOST_ZEROS) return NONE
      byte = bytes[(at += 1)] ?? 0
    }
    const places = at - point - 1
    digits += places
    // It would be written without the zero at its end, or without the point.
    if (places === 0 || bytes[at - 1] === ZERO || digits > MOST_DIGITS) return NONE
    read /= POWERS[places] ?? Number.NaN
  }
  if (digits > MOST_DIGITS || (negative && read === 0)) return NONE
  value[0] = negative ? -read : read
  return at
}

/** An instant in UTC with milliseconds, with its quotes. */
export function behindInstant(bytes: Buffer, from: number): number {
  const start = from + 1
  if (bytes[from] !== QUOTE) return NONE
  for (let i = 0; i < INSTANT.length; i += 1) {
    const byte = bytes[start + i] ?? 0
    if (INSTANT[i] === ZERO ? byte < ZERO || byte > NINE : byte !== INSTANT[i]) return NONE
  }
  const year = two(bytes, start) * 100 + two(bytes, start + 2)
  const days = DAYS[two(bytes, start + 5) - 1] ?? 0
  const day = two(bytes, start + 8)
  if (year < 1970 || year >= 2200 || day < 1 || day > days) return NONE
  if (two(bytes, start + 11) > 23 || two(bytes, start + 14) > 59 || two(bytes, start + 17) > 59) return NONE
  return start + INSTANT.length
}

/** The number of two digits at a place. */
const two = (bytes: Buffer, at: number): number => ((bytes[at] ?? 0) - ZERO) * 10 + (bytes[at + 1] ?? 0) - ZERO

const isThere = (bytes: Buffer, at: number, wanted: Uint8Array): boolean =>
  wanted.every((byte, index) => bytes[at + index] === byte)

const ignored = new Float64Array(1)

/** A value of any shape. */
function behindAny(bytes: Buffer, at: number, depth: number): number {
  const byte = bytes[at] ?? 0
  if (byte === QUOTE) return behindText(bytes, at + 1, true)
  if (byte === MINUS || (byte >= ZERO && byte <= NINE)) return behindNumber(bytes, at, false, ignored)
  if (byte === OPEN_LIST) return depth === MOST_DEPTH ? NONE : behindAnyList(bytes, at + 1, depth + 1)
  if (byte === OPEN_OBJECT) return depth === MOST_DEPTH ? NONE : behindAnyObject(bytes, at + 1, depth + 1)
  if (isThere(bytes, at, TRUE)) return at + TRUE.length
  return isThere(bytes, at, FALSE) ? at + FALSE.length : NONE
}

function behindAnyList(bytes: Buffer, from: number, depth: number): number {
  if (bytes[from] === END_LIST) return from + 1
  let at = from
  for (;;) {
    at = behindAny(bytes, at, depth)
    if (at === NONE) return NONE
    if (bytes[at] === END_LIST) return at + 1
    if (bytes[at] !== COMMA) return NONE
    at += 1
  }
}

function behindAnyObject(bytes: Buffer, from: number, depth: number): number {
  if (bytes[from] === END_OBJECT) return from + 1
  const names: number[] = []
  let at = from
  for (;;) {
    at = behindField(bytes, at, names, depth)
    if (at === NONE) return NONE
    if (bytes[at] === END_OBJECT) return at + 1
    if (bytes[at] !== COMMA) return NONE
    at += 1
  }
}

/** A field of any name and shape. @param names where those before it in its object begin and end; it becomes one of them */
export function behindField(bytes: Buffer, at: number, names: number[], depth: number): number {
  if (bytes[at] !== QUOTE) return NONE
  const start = at + 1
  const first = bytes[start] ?? 0
  // JavaScript puts numbers before other names, and names that begin with two underscores may mean something to it.
  if (first === QUOTE || first === UNDERSCORE || (first >= ZERO && first <= NINE)) return NONE
  const behind = behindText(bytes, start, false)
  if (behind === NONE) return NONE
  const end = behind - 1
  for (let i = 0; i < names.length; i += 2) if (isSame(bytes, names[i]!, names[i + 1]!, start, end)) return NONE
  if (names.length === 2 * MOST_OPEN_FIELDS) return NONE
  names.push(start, end)
  return bytes[behind] === COLON ? behindAny(bytes, behind + 1, depth) : NONE
}

const isSame = (bytes: Buffer, start: number, end: number, otherStart: number, otherEnd: number): boolean =>
  end - start === otherEnd - otherStart && bytes.compare(bytes, start, end, otherStart, otherEnd) === 0
