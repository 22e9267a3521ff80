import { NamedTurns } from '../base/named-turns.js'
import type { Lease } from './leases.js'
import type { SharedTurns } from './shared-turns.js'

/** Turns of a store that one process has: nothing is asked of anybody. */
export class InProcessTurns implements SharedTurns {
  readonly #turns = new NamedTurns()
  #fence = 0

  run<T>(name: string, work: (turn: Pick<Lease, 'fence' | 'mayWrite'>) => Promise<T>): Promise<T> {
    return this.#turns.run(name, () => {
      this.#fence += 1
      return work({ fence: this.#fence, mayWrite: () => undefined })
    })
  }

  pass<T>(name: string, work: () => Promise<T>): Promise<T> {
    return this.#turns.run(name, work)
  }
}
