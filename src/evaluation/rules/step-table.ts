/** Steps a table has room for at first: those of a thousand calls. */
const FIRST_SLOTS = 16_384
/** Stands for a slot that is free. */
const FREE = -1

/**
 * Where words lead from states, by the numbers of both: a hash table in two pieces of memory, each looked at at one place.
 * A map of every state's own took half the time of reading, and the collector looked through all of them.
 */
export class StepTable {
  /** `state x symbols + symbol`; exact as a double, whatever their number. */
  #keys = new Float64Array(FIRST_SLOTS).fill(FREE)
  #targets = new Int32Array(FIRST_SLOTS)
  #mask = FIRST_SLOTS - 1
  readonly #symbols: number

  /** How many steps it holds. */
  size = 0

  /** @param symbols how many there are, numbered from 0 */
  constructor(symbols: number) {
    this.#symbols = symbols
  }

  /** The state that a symbol leads to; -1 where that is not known. */
  get(state: number, symbol: number): number {
    const keys = this.#keys
    const mask = this.#mask
    const key = state * this.#symbols + symbol
    for (let slot = slotOf(state, symbol) & mask; ; slot = (slot + 1) & mask) {
      const found = keys[slot]!
      if (found === key) return this.#targets[slot]!
      if (found === FREE) return FREE
    }
  }

  /** Adds a step that it does not hold yet. */
  add(state: number, symbol: number, target: number): void {
    if (this.size * 2 >= this.#keys.length) this.#grow()
    this.size += 1
    this.#put(state, symbol, target)
  }

  #put(state: number, symbol: number, target: number): void {
    let slot = slotOf(state, symbol) & this.#mask
    while (this.#keys[slot] !== FREE) slot = (slot + 1) & this.#mask
    this.#keys[slot] = state * this.#symbols + symbol
    this.#targets[slot] = target
  }

  #grow(): void {
    const keys = this.#keys
    const targets = this.#targets
    this.#keys = new Float64Array(keys.length * 2).fill(FREE)
    this.#targets = new Int32Array(keys.length * 2)
    this.#mask = keys.length * 2 - 1
    keys.forEach((key, slot) => {
      if (key !== FREE) this.#put(Math.floor(key / this.#symbols), key % this.#symbols, targets[slot]!)
    })
  }
}

/** Multiplicative hashing (Knuth) of both numbers, the upper bits folded in. */
function slotOf(state: number, symbol: number): number {
  const hash = Math.imul(state, 0x9e_37_79_b1) + Math.imul(symbol, 0x85_eb_ca_6b)
  return hash ^ (hash >>> 15)
}
