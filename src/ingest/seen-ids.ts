import { hash as digestOf } from 'node:crypto'

/** Slots at the start and at most; at the most, 8 MiB remember some 840,000 ids. */
const FIRST_SLOTS = 1 << 12
const MOST_SLOTS = 1 << 20

/**
 * Which ids an import has met, in bounded memory: 53 bits of a hash each, so that of a million ids one in 18 billion
 * is mistaken. It only counts duplicates: when it is full, further ones are counted as replaced calls instead.
 */
export class SeenIds {
  #slots = new Float64Array(FIRST_SLOTS)
  #used = 0

  /** Whether the id was met before; from now on it was. */
  meet(id: string): boolean {
    const hash = hashOf(id)
    if (this.#used * 4 > this.#slots.length * 3) this.#grow()
    const slot = this.#find(hash)
    if (this.#slots[slot] === hash) return true
    if (this.#used * 5 > MOST_SLOTS * 4) return false
    this.#slots[slot] = hash
    this.#used += 1
    return false
  }

  /** The slot that holds the hash, or the empty one where it belongs. */
  #find(hash: number): number {
    let slot = hash % this.#slots.length
    while (this.#slots[slot] !== 0 && this.#slots[slot] !== hash) slot = (slot + 1) % this.#slots.length
    return slot
  }

  #grow(): void {
    if (this.#slots.length >= MOST_SLOTS) return
    const old = this.#slots
    this.#slots = new Float64Array(Math.min(MOST_SLOTS, old.length * 2))
    for (const hash of old) if (hash !== 0) this.#slots[this.#find(hash)] = hash
  }
}

/** 53 bits, never 0: that marks an empty slot. */
function hashOf(id: string): number {
  const digest = digestOf('sha1', id, 'buffer')
  return digest.readUInt32LE(0) * 0x20_0000 + (digest.readUInt32LE(4) & 0x1f_ffff) || 1
}
