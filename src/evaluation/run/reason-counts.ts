/** Reasons that are kept apart. */
const MOST = 20

/** Why calls have no evaluation, and how many. */
export class ReasonCounts {
  readonly #calls = new Map<string, number>()

  add(reason: string, calls = 1): void {
    const key = this.#calls.has(reason) || this.#calls.size < MOST ? reason : 'Other reasons'
    this.#calls.set(key, (this.#calls.get(key) ?? 0) + calls)
  }

  get total(): number {
    return [...this.#calls.values()].reduce((sum, calls) => sum + calls, 0)
  }

  /** Commonest first. */
  list(): { reason: string; calls: number }[] {
    return [...this.#calls].map(([reason, calls]) => ({ reason, calls })).toSorted((a, b) => b.calls - a.calls)
  }
}
