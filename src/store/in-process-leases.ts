import { Problem } from '../base/problem.js'
import type { Claim, Lease, Leases } from './leases.js'

/** Leases of a store that one process has: nothing is lost, and nothing has to be renewed. */
export class InProcessLeases implements Leases {
  readonly #taken = new Set<string>()
  /** Above those of the process before, of which nothing is kept. */
  #fence = Date.now()

  async take(name: string): Promise<Lease | undefined> {
    if (this.#taken.has(name)) return undefined
    this.#taken.add(name)
    this.#fence += 1
    let isOurs = true
    return {
      name,
      fence: this.#fence,
      lost: new AbortController().signal,
      mayWrite: () => {
        if (!isOurs) throw new Problem('store_unavailable', `Nothing is written: "${name}" was given back`)
      },
      release: async () => {
        if (isOurs) this.#taken.delete(name)
        isOurs = false
      },
    }
  }

  claim(name: string): Promise<Claim | undefined> {
    return this.take(name)
  }

  async held(prefix: string): Promise<ReadonlySet<string>> {
    return new Set([...this.#taken].filter(name => name.startsWith(prefix)))
  }
}
