import { HeldBytes } from './held-bytes.js'

/** A JSON value as it stands in a document: an element of an array at the top, or a value of its own. */
export interface CutValue {
  /** Line at which it begins, from 1. */
  readonly line: number
  /** Its position in the array at the top, from 0; undefined outside one. */
  readonly index: number | undefined
  /** Its text, which may be a part of the chunk it came in; undefined when it was over the limit and passed over. */
  readonly bytes: Buffer | undefined
}

const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
const NEWLINE = 0x0a
const OPEN = new Set([0x5b, 0x7b])
const CLOSE = new Set([0x5d, 0x7d])
const OPEN_ARRAY = 0x5b
const OPEN_OBJECT = 0x7b
const CLOSE_ARRAY = 0x5d
const BLANK = new Set([0x20, 0x09, 0x0a, 0x0d])

/**
 * Finds where the values of a JSON document begin and end, so that each can be parsed alone: the elements of an array,
 * or objects one after another, of any length in total.
 *
 * A streaming parser was weighed and left: those there are stop at the first fault and parse in this thread. This one
 * only counts brackets outside of strings, so a broken element costs itself, and JSON.parse in the workers decides what
 * is JSON. Strings can't hold line feeds in JSON: a string left open ends at the end of its line, and if the next line
 * begins with an object that is taken for the next value.
 */
export class JsonCutter {
  readonly #limit: number
  readonly #held = new HeldBytes()
  #line = 1
  #inArray = false
  #index = 0
  #inValue = false
  #valueLine = 1
  #depth = 0
  #inString = false
  #escaped = false
  /** A string was left open on the line before. */
  #broken = false
  #passing = false
  #arrayLine = 1

  /** @param limit most bytes of one value */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** The values that end in this chunk, as they are found. */
  *push(chunk: Buffer): Generator<CutValue> {
    let from = 0
    let at = 0
    while (at < chunk.length) {
      if (this.#inString) {
        at = this.#skipString(chunk, at)
        continue
      }
      const byte = chunk[at] ?? 0
      if (!this.#inValue) {
        if (byte === NEWLINE) this.#line += 1
        if (byte === OPEN_ARRAY && !this.#inArray) {
          this.#inArray = true
          this.#arrayLine = this.#line
        } else if (byte === CLOSE_ARRAY && this.#inArray) {
          this.#inArray = false
        } else if (!BLANK.has(byte) && byte !== COMMA) {
          this.#inValue = true
          this.#valueLine = this.#line
          from = at
          continue
        }
        at += 1
        continue
      }
      if (this.#broken && !BLANK.has(byte)) {
        this.#broken = false
        // The string has swallowed the end of its value: an object that begins the next line is a new one.
        if (byte === OPEN_OBJECT) {
          yield this.#value(chunk.subarray(from, at))
          continue
        }
      }
      if (this.#depth === 0 && this.#endsScalar(byte)) {
        yield this.#value(chunk.subarray(from, at))
        continue
      }
      at += 1
      if (byte === NEWLINE) this.#line += 1
      else if (byte === QUOTE) this.#inString = true
      else if (OPEN.has(byte)) this.#depth += 1
      else if (CLOSE.has(byte)) {
        this.#depth -= 1
        if (this.#depth <= 0) yield this.#value(chunk.subarray(from, at))
      }
    }
    if (this.#inValue) this.#hold(chunk.subarray(from))
  }

  /** What the input ended in the middle of: a value, an array, or nothing. */
  end(): { readonly line: number; readonly value: CutValue | undefined } | undefined {
    if (this.#inValue) return { line: this.#valueLine, value: this.#value(Buffer.alloc(0)) }
    return this.#inArray ? { line: this.#arrayLine, value: undefined } : undefined
  }

  /** Bytes of a value that is not whole. */
  get heldBytes(): number {
    return this.#held.length
  }

  /** Line reached so far, from 1. */
  get line(): number {
    return this.#line
  }

  #endsScalar(byte: number): boolean {
    return byte === COMMA || BLANK.has(byte) || (byte === CLOSE_ARRAY && this.#inArray)
  }

  /** The index after the string that `at` is in, or the chunk's length when it goes on. */
  #skipString(chunk: Buffer, at: number): number {
    if (this.#escaped) {
      this.#escaped = false
      return at + 1
    }
    let end = at
    while (end < chunk.length) {
      const byte = chunk[end]
      if (byte === BACKSLASH) {
        if (end + 1 === chunk.length) this.#escaped = true
        end += 2
        continue
      }
      end += 1
      if (byte === QUOTE) {
        this.#inString = false
        return end
      }
      if (byte === NEWLINE) {
        this.#line += 1
        this.#inString = false
        this.#broken = true
        return end
      }
    }
    return chunk.length
  }

  #hold(part: Buffer): void {
    if (this.#passing) return
    this.#held.add(part)
    if (this.#held.length > this.#limit) {
      this.#held.clear()
      this.#passing = true
    }
  }

  #value(part: Buffer): CutValue {
    const isWhole = this.#held.length === 0 && !this.#passing && part.length <= this.#limit
    if (!isWhole) this.#hold(part)
    const value: CutValue = {
      line: this.#valueLine,
      index: this.#inArray ? this.#index : undefined,
      bytes: isWhole ? part : this.#passing ? undefined : this.#held.take(),
    }
    if (this.#inArray) this.#index += 1
    this.#inValue = false
    this.#depth = 0
    this.#passing = false
    this.#broken = false
    return value
  }
}
