/** Bytes a pack has room for at the start: a piece of an input and a bit. It grows with what it has to hold. */
const FIRST_BYTES = 272 * 1024
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
  #bytes: Buffer<ArrayBuffer>
  #length = 0

  /** @param memory to write to, whatever it holds; new memory without it */
  constructor(memory: ArrayBuffer = new ArrayBuffer(FIRST_BYTES)) {
    this.#bytes = Buffer.from(memory)
  }

  add(text: string): Packed {
    const start = this.#length
    const most = text.length * MOST_BYTES
    // Most texts are ASCII, and fit where the longest encoding would not.
    if (this.#bytes.length - start < most) this.#makeRoom(Buffer.byteLength(text))
    this.#length += this.#bytes.write(text, start, 'utf8')
    return { start, end: this.#length }
  }

  /** What the texts were written to, each from its start to its end. */
  get memory(): ArrayBuffer {
    return this.#bytes.buffer
  }

  #makeRoom(bytes: number): void {
    const least = this.#length + bytes
    if (this.#bytes.length >= least) return
    const grown = Buffer.from(new ArrayBuffer(Math.max(least, this.#bytes.length * 2)))
    this.#bytes.copy(grown, 0, 0, this.#length)
    this.#bytes = grown
  }
}
