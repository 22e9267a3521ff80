import type { Random } from './random.js'

/** Items to choose from, each as often as its weight says. */
export class WeightedChoice<T> {
  readonly #items: readonly T[]
  readonly #upTo: readonly number[]
  readonly #total: number

  constructor(items: readonly T[], weightOf: (item: T) => number) {
    let total = 0
    this.#items = items
    this.#upTo = items.map(item => (total += weightOf(item)))
    this.#total = total
  }

  pick(random: Random): T {
    const place = random.unit() * this.#total
    const index = this.#upTo.findIndex(upTo => place < upTo)
    const item = this.#items[index === -1 ? this.#items.length - 1 : index]
    if (item === undefined) throw new RangeError('Nothing to choose from')
    return item
  }
}
