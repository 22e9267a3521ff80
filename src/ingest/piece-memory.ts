import { isReusable, type PackMemory, SHARED_BYTES } from './text-pack.js'

/** Bytes of new memory: a piece of an input and a bit. */
const USUAL_BYTES = 272 * 1024
/** Below this a piece has memory of its own: of thousands of small files each would hold as much as a large piece. */
const LEAST_BYTES = 64 * 1024
/** Memory is copied eight bytes at a time where both sides stand alike to that, one by one where they don't. */
export const WORD = 8

/** Memory of an import that its threads share: pieces of its input, and records as they are stored, lie in it and are not copied. */
export class PieceMemory {
  #free: PackMemory[] = []

  /** Room for a piece of so many bytes, and a word; undefined for one that is not to lie in shared memory. */
  forPiece(bytes: number): PackMemory | undefined {
    const least = bytes + WORD
    if (bytes < LEAST_BYTES || least > SHARED_BYTES) return undefined
    const last = this.#free.pop()
    if (last !== undefined && last.byteLength >= least) return last
    return new SharedArrayBuffer(Math.max(USUAL_BYTES, least))
  }

  /** Memory for texts, if there is any that was used before. */
  used(): PackMemory | undefined {
    return this.#free.pop()
  }

  /** Takes memory back that nobody reads any more. */
  give(memory: readonly PackMemory[]): void {
    this.#free.push(...memory.filter(isReusable))
  }
}
