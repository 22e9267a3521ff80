import { setTimeout } from 'node:timers/promises'
import { endedBy } from '../base/problem.js'
import { FairSlots, type FairSlotsLimits, late, type Patience, type Places } from './fair-slots.js'
import type { Requester } from './requester.js'
import type { Held, SharedLimits } from './shared-limits.js'

/** Between two tries for what another process has, in milliseconds: more and more. */
const FIRST_WAIT_MS = 50
const MOST_WAIT_MS = 500

/**
 * Places of this process, of which each key has one at a time among all processes: one that asks much gets no more by asking everywhere.
 * Who waits for the key's has no place here meanwhile.
 */
export class OneOfAKey implements Places {
  readonly #what: string
  readonly #ofKey: FairSlots
  readonly #here: Places
  readonly #leases: SharedLimits['leases']

  constructor(
    what: string,
    queues: Pick<FairSlotsLimits, 'waitingOfKey' | 'waitingOfProject'>,
    here: Places,
    leases: SharedLimits['leases'],
  ) {
    this.#what = what
    // In line here, so that only the first of a key asks the store.
    this.#ofKey = new FairSlots({ what, places: Infinity, placesOfKey: 1, ...queues })
    this.#here = here
    this.#leases = leases
  }

  async take(requester: Requester, patience: Patience): Promise<() => void> {
    const until = patience.deadlineMs === undefined ? Infinity : performance.now() + patience.deadlineMs
    const given: (() => void)[] = [await this.#ofKey.take(requester, patience)]
    const giveBack = () => {
      for (const give of given.splice(0).toReversed()) give()
    }
    try {
      const held = await this.#lease(requester, patience, until)
      given.push(() => void held.release())
      const deadlineMs = until === Infinity ? undefined : Math.max(1, until - performance.now())
      given.push(await this.#here.take(requester, { ...patience, deadlineMs }))
      return giveBack
    } catch (error) {
      giveBack()
      throw error
    }
  }

  async #lease({ project, key }: Requester, { signal }: Patience, until: number): Promise<Held> {
    const name = `${this.#what} ${JSON.stringify([project, key])}`
    for (let wait = FIRST_WAIT_MS; ; wait = Math.min(MOST_WAIT_MS, wait * 2)) {
      // oxlint-disable no-await-in-loop -- until it is given back
      const held = await this.#leases.take(name)
      if (held !== undefined) return held
      if (performance.now() + wait >= until) throw late(this.#what)
      await setTimeout(wait, undefined, signal === undefined ? {} : { signal }).catch(() => {
        throw endedBy(signal)
      })
      // oxlint-enable no-await-in-loop
    }
  }
}
