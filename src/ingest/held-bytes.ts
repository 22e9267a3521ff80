import { type PieceMemory, WORD } from './piece-memory.js'

/** Bytes gathered from several chunks. */
export class HeldBytes {
  #parts: Buffer[] = []
  #length = 0

  get length(): number {
    return this.#length
  }

  add(part: Buffer): void {
    if (part.length === 0) return
    this.#parts.push(part)
    this.#length += part.length
  }

  /** Takes over what others hold. */
  addAll(others: HeldBytes): void {
    for (const part of others.#parts) this.add(part)
    others.clear()
  }

  clear(): void {
    this.#parts = []
    this.#length = 0
  }

  /**
   * Everything gathered, in memory that threads share where some is given and it is not too long for that; else in a buffer of its
   * own size: what is handed to a worker takes its whole memory along.
   */
  take(memory?: PieceMemory): Buffer {
    const shared = memory?.forPiece(this.#length)
    const bytes =
      shared === undefined
        ? Buffer.allocUnsafeSlow(this.#length)
        : Buffer.from(shared, this.#placeInWord(), this.#length)
    let at = 0
    for (const part of this.#parts) at += part.copy(bytes, at)
    this.clear()
    return bytes
  }

  /** Where a copy begins, so that its longest part stands to words of memory as it does now. */
  #placeInWord(): number {
    let before = 0
    let place = 0
    let longest = 0
    for (const part of this.#parts) {
      if (part.length > longest) {
        longest = part.length
        place = part.byteOffset - before
      }
      before += part.length
    }
    return ((place % WORD) + WORD) % WORD
  }
}
