/** Bytes the pack has room for at the start; it grows with what it has to hold. */
const FIRST_BYTES = 512 * 1024
/** Room that is kept for the next texts. */
const KEPT_BYTES = 4 * FIRST_BYTES
/** Most bytes UTF-8 takes for a UTF-16 unit. */
const MOST_BYTES = 3

/** Where a text lies in a pack. */
export interface Packed {
  readonly start: number
  readonly end: number
}

/**
 * Gathers texts as UTF-8 in one piece of memory, which goes from thread to thread and into a store without being copied
 * or becoming strings again: strings of calls were most of the memory of an import.
 */
export class TextPack {
  #bytes = Buffer.allocUnsafeSlow(FIRST_BYTES)
  #length = 0

  add(text: string): Packed {
    const start = this.#length
    const most = text.length * MOST_BYTES
    if (this.#bytes.length - start < most) this.#grow(start + most)
    this.#length += this.#bytes.write(text, start, 'utf8')
    return { start, end: this.#length }
  }

  /** The texts so far, in memory of their own size, of which each `Packed` is a part; the pack is empty again. */
  take(): Uint8Array<ArrayBuffer> {
    const taken = new Uint8Array(this.#length)
    this.#bytes.copy(taken, 0, 0, this.#length)
    this.clear()
    return taken
  }

  /** Forgets the texts, and the room that an unusually long one took. */
  clear(): void {
    this.#length = 0
    if (this.#bytes.length > KEPT_BYTES) this.#bytes = Buffer.allocUnsafeSlow(FIRST_BYTES)
  }

  #grow(least: number): void {
    const bytes = Buffer.allocUnsafeSlow(Math.max(least, this.#bytes.length * 2))
    this.#bytes.copy(bytes, 0, 0, this.#length)
    this.#bytes = bytes
  }
}
