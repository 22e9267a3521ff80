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

  clear(): void {
    this.#parts = []
    this.#length = 0
  }

  /** Everything gathered, in a buffer of its own size: what is handed to a worker takes its whole memory along. */
  take(): Buffer {
    const bytes = Buffer.allocUnsafeSlow(this.#length)
    let at = 0
    for (const part of this.#parts) at += part.copy(bytes, at)
    this.clear()
    return bytes
  }
}
