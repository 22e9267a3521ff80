import { runsOf } from '../../base/runs-of.js'
import { PART, sameValue } from './values-said.js'

/**
 * Values that somebody gave, each of which is repeated once. A number may be repeated by a part of it, and those that may
 * be are found by what such parts have in common: every run of so many digits. A call can give one in each of 100,000 turns.
 */
export class ValuesGiven {
  /** Which one it is, in the order in which they were given. */
  readonly #numbers = new Map<string, number>()
  readonly #repeated = new Set<string>()
  readonly #byRun = new Map<string, Set<string>>()

  add(value: string): void {
    if (this.#numbers.has(value)) return
    this.#numbers.set(value, this.#numbers.size)
    for (const run of runsOf(value, PART)) {
      const sharing = this.#byRun.get(run) ?? new Set()
      this.#byRun.set(run, sharing.add(value))
    }
  }

  /** Repeats the first that is the same, of those that were not repeated yet. @returns whether there is one */
  take(value: string): boolean {
    let same = this.#isOpen(value) ? value : undefined
    for (const run of runsOf(value, PART)) {
      for (const one of this.#byRun.get(run) ?? []) {
        // In the order in which they were given: what comes behind is no earlier one.
        if (same !== undefined && this.#numbers.get(one)! >= this.#numbers.get(same)!) break
        if (sameValue(one, value)) same = one
      }
    }
    if (same === undefined) return false
    this.#repeated.add(same)
    for (const run of runsOf(same, PART)) this.#byRun.get(run)?.delete(same)
    return true
  }

  #isOpen(value: string): boolean {
    return this.#numbers.has(value) && !this.#repeated.has(value)
  }
}
