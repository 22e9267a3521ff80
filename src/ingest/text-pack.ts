/** Bytes a pack has room for at the start: a piece of an input and a bit. It grows with what it has to hold. */
const FIRST_BYTES = 272 * 1024
/** Packs up to this size are in memory that threads share and that is used again; what is larger changes hands. */
export const SHARED_BYTES = 4 * 1024 * 1024
/** Most bytes UTF-8 takes for a UTF-16 unit. */
const MOST_BYTES = 3

/**
 * What a pack is written to. The engine of JavaScript counts memory that changes hands against each thread's heap: passed
 * on with every piece, it made the main thread look through its whole heap twice a batch, a seventh of the processor time
 * of an import. Memory that is shared is not counted, so only what is used again is.
 */
export type PackMemory = ArrayBuffer | SharedArrayBuffer

/** Whether memory may be used for another pack. */
export const isReusable = (memory: ArrayBufferLike): memory is SharedArrayBuffer => memory instanceof SharedArrayBuffer

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
  #bytes: Buffer<PackMemory>
  #length = 0

  /** @param memory to write to, whatever it holds; new memory without it */
  constructor(memory: PackMemory = new SharedArrayBuffer(FIRST_BYTES)) {
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

  /** Takes what stands between two places of bytes. */
  addBytes(bytes: Buffer, from: number, to: number): Packed {
    const start = this.#length
    if (this.#bytes.length - start < to - from) this.#makeRoom(to - from)
    this.#length += bytes.copy(this.#bytes, start, from, to)
    return { start, end: this.#length }
  }

  /** A text, as long as no other is added. */
  at({ start, end }: Packed): Uint8Array {
    return new Uint8Array(this.memory, start, end - start)
  }

  /** What the texts were written to, each from its start to its end. */
  get memory(): PackMemory {
    return this.#bytes.buffer
  }

  #makeRoom(bytes: number): void {
    const least = this.#length + bytes
    if (this.#bytes.length >= least) return
    const size = Math.max(least, this.#bytes.length * 2)
    const grown = Buffer.from(size <= SHARED_BYTES ? new SharedArrayBuffer(size) : new ArrayBuffer(size))
    this.#bytes.copy(grown, 0, 0, this.#length)
    this.#bytes = grown
  }
}
