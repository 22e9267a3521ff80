import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64'
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'

/** Values to throw away first: neighbouring seeds start alike. */
const WARM_UP_VALUES = 32

/** A stream of chance that is the same for the same seed, on every machine. */
export class Random {
  readonly #generator: ReturnType<typeof xoroshiro128plus>

  /** @param seed any integer; its low 32 bits count */
  constructor(seed: number) {
    this.#generator = xoroshiro128plus(seed)
    for (let count = 0; count < WARM_UP_VALUES; count += 1) this.#generator.next()
  }

  /** At least 0, below 1. */
  unit(): number {
    return uniformFloat64(this.#generator)
  }

  /** True so often, 0–1. */
  chance(share: number): boolean {
    return this.#generator.next() >>> 0 < share * 0x1_0000_0000
  }

  /** A whole number from low to high, both included. */
  between(low: number, high: number): number {
    return low + Math.floor(((this.#generator.next() >>> 0) / 0x1_0000_0000) * (high - low + 1))
  }

  /** A number from low to high. */
  within(low: number, high: number): number {
    return low + ((this.#generator.next() >>> 0) / 0x1_0000_0000) * (high - low)
  }

  /** One of the items. Throws for none. */
  pick<T>(items: readonly T[]): T {
    const item = items[this.between(0, items.length - 1)]
    if (item === undefined) throw new RangeError('Nothing to pick from')
    return item
  }

  /** So many hex digits. */
  hex(digits: number): string {
    let text = ''
    while (text.length < digits) text += (this.#generator.next() >>> 0).toString(16).padStart(8, '0')
    return text.slice(0, digits)
  }
}
