/** Steps a table has room for at first: those of a thousand calls. */
const FIRST_SLOTS = 8_192
/** State, symbol, target, and one that keeps a slot from lying on two lines of the processor's cache. */
const SLOT_NUMBERS = 4
/** Stands for a slot that is free. */
const FREE = -1

/**
 * Where words lead from states, by the numbers of both: a hash table in one piece of memory, in which a step is looked for at one
 * place. A map of every state's own took half the time of reading, and the collector looked through all of them.
 */
export class StepTable {
  #slots = new Int32Array(FIRST_SLOTS * SLOT_NUMBERS).fill(FREE)
  #mask = FIRST_SLOTS - 1

  /** How many steps it holds. */
  size = 0

  /** What a symbol leads to from a state; -1 where that is not known. */
  get(state: number, symbol: number): number {
    const slots = this.#slots
    const mask = this.#mask
    for (let slot = slotOf(state, symbol) & mask; ; slot = (slot + 1) & mask) {
      const at = slot * SLOT_NUMBERS
      const found = slots[at]!
      if (found === state && slots[at + 1] === symbol) return slots[at + 2]!
      if (found === FREE) return FREE
    }
  }

  /** Adds a step that it does not hold yet. @param target any number but -1 */
  add(state: number, symbol: number, target: number): void {
    if (this.size * 2 >= this.#mask + 1) this.#grow()
    this.size += 1
    this.#put(state, symbol, target)
  }

  #put(state: number, symbol: number, target: number): void {
    let slot = slotOf(state, symbol) & this.#mask
    while (this.#slots[slot * SLOT_NUMBERS] !== FREE) slot = (slot + 1) & this.#mask
    this.#slots.set([state, symbol, target], slot * SLOT_NUMBERS)
  }

  #grow(): void {
    const slots = this.#slots
    this.#slots = new Int32Array(slots.length * 2).fill(FREE)
    this.#mask = this.#mask * 2 + 1
    for (let at = 0; at < slots.length; at += SLOT_NUMBERS) {
      if (slots[at] !== FREE) this.#put(slots[at]!, slots[at + 1]!, slots[at + 2]!)
    }
  }
}

/** Multiplicative hashing (Knuth) of both numbers, the upper bits folded in. */
function slotOf(state: number, symbol: number): number {
  const hash = Math.imul(state, 0x9e_37_79_b1) + Math.imul(symbol, 0x85_eb_ca_6b)
  return hash ^ (hash >>> 15)
}
