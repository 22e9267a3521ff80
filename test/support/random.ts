import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'
import { uniformInt } from 'pure-rand/distribution/uniformInt'

/** Choices that one seed decides. */
export class Random {
  readonly #generator: ReturnType<typeof xoroshiro128plus>
  constructor(seed: number) {
    this.#generator = xoroshiro128plus(seed)
  }

  /** A whole number from low to high, both included. */
  int(low: number, high: number): number {
    return uniformInt(this.#generator, low, high)
  }

  /** True once in so many times. */
  oneIn(times: number): boolean {
    return this.int(1, times) === 1
  }

  pick<T>(items: readonly T[]): T {
    return items[this.int(0, items.length - 1)]!
  }

  /** So many of something, as drawn. */
  many<T>(low: number, high: number, draw: () => T): T[] {
    return Array.from({ length: this.int(low, high) }, draw)
  }
}
