/** Something put into the calls on purpose, with what the calls really show of it. */
export interface PlantedFact {
  readonly kind: 'agent_declined' | 'driver_rose' | 'signal_vanished'
  /** What to look for: the agent's name, the driver, the signal's key. */
  readonly key: string
  /** The period in which it holds; before it the calls are as usual. */
  readonly from: string
  readonly to: string
  /** What `before` and `after` are. */
  readonly measure:
    | 'mean score'
    /** Of calls that are not evaluated: what they were made to earn; an evaluation comes near it. */
    | 'planned mean score'
    | 'share of calls'
    | 'share of calls with the signal present'
  /** Absent when there are no calls to measure. */
  readonly before?: number
  readonly after?: number
  readonly calls_before: number
  readonly calls_after: number
}

/** Sums one fact up while the calls are made. */
export class FactTally {
  readonly #fact: Pick<PlantedFact, 'kind' | 'key' | 'measure'>
  readonly #from: number
  readonly #to: number
  readonly #before = { calls: 0, sum: 0 }
  readonly #after = { calls: 0, sum: 0 }

  constructor(fact: Pick<PlantedFact, 'kind' | 'key' | 'measure'>, from: number, to: number) {
    this.#fact = fact
    this.#from = from
    this.#to = to
  }

  holdsAt(at: number): boolean {
    return at >= this.#from
  }

  add(at: number, value: number): void {
    const side = this.holdsAt(at) ? this.#after : this.#before
    side.calls += 1
    side.sum += value
  }

  get fact(): PlantedFact {
    const mean = ({ calls, sum }: { calls: number; sum: number }) => Math.round((sum / calls) * 10_000) / 10_000
    return {
      ...this.#fact,
      from: new Date(this.#from).toISOString(),
      to: new Date(this.#to).toISOString(),
      ...(this.#before.calls > 0 && { before: mean(this.#before) }),
      ...(this.#after.calls > 0 && { after: mean(this.#after) }),
      calls_before: this.#before.calls,
      calls_after: this.#after.calls,
    }
  }
}
