import { PART, sameValue } from './values-said.js'

/**
 * Values that somebody gave, each of which is repeated once. A number may be repeated by a part of it, and those that may
 * be are found by what such parts have in common: every run of so many digits. A call can give one in each of 100,000 turns.
 */
export class ValuesGiven {
  /** Which one it is, in the order in which they were given. */
  readonly #numbers = new Map<string, number>()
  readonly #repeated = new Set<string>()
  readonly #byRun = new Map<number, Set<string>>()

  add(value: string): void {
    if (this.#numbers.has(value)) return
    this.#numbers.set(value, this.#numbers.size)
    for (const run of digitRuns(value)) {
      const sharing = this.#byRun.get(run)
      if (sharing === undefined) this.#byRun.set(run, new Set([value]))
      else sharing.add(value)
    }
  }

  /** Repeats the first that is the same, of those that were not repeated yet. @returns whether there is one */
  take(value: string): boolean {
    let same = this.#isOpen(value) ? value : undefined
    for (const run of digitRuns(value)) {
      for (const one of this.#byRun.get(run) ?? []) {
        // In the order in which they were given: what comes behind is no earlier one.
        if (same !== undefined && this.#numbers.get(one)! >= this.#numbers.get(same)!) break
        if (sameValue(one, value)) same = one
      }
    }
    if (same === undefined) return false
    this.#repeated.add(same)
    for (const run of digitRuns(same)) this.#byRun.get(run)?.delete(same)
    return true
  }

  #isOpen(value: string): boolean {
    return this.#numbers.has(value) && !this.#repeated.has(value)
  }
}

const NO_RUNS: readonly number[] = []

/** Every run of PART digits, as a number. */
function digitRuns(value: string): readonly number[] {
  if (value.length < PART) return NO_RUNS
  const runs: number[] = []
  let digits = 0
  let run = 0
  for (let at = 0; at < value.length; at += 1) {
    const digit = value.charCodeAt(at) - 0x30
    const isDigit = digit >= 0 && digit <= 9
    digits = isDigit ? digits + 1 : 0
    run = isDigit ? (run * 10 + digit) % 10 ** PART : 0
    if (digits >= PART) runs.push(run)
  }
  return runs
}
