import { Problem } from '../base/problem.js'
import type { Requester } from './requester.js'

export interface SharesLimits {
  /** What is taken, in the plural as messages say it, such as `open sessions`. */
  readonly what: string
  /** How many there are, of all together. */
  readonly all: number
  readonly ofProject: number
  readonly ofKey: number
  /** How many of all a project that has some may not take; default none. */
  readonly kept?: number
  /** How many a project that has none may take in any case, beyond all if need be; default 1. */
  readonly first?: number
  /** Seconds after which who was refused may try again; default 2. */
  readonly retryAfterSeconds?: number
}

/** Something taken. */
export interface Share {
  /** Takes more of the same. @throws Problem as `take` does, having taken nothing */
  more(amount: number): void
  /** Gives all of it back, a second time nothing. */
  release(): void
}

/** The bound that is in the way of taking something. */
export type Bound = 'key' | 'project' | 'all'

interface Taken {
  amount: number
  readonly keys: Map<string, number>
}

/**
 * What is counted and never waited for: sessions, bytes under way. There is a bound on what a key, a project and all
 * together have, and the bound on all never refuses a project its first.
 */
export class Shares {
  readonly #limits: SharesLimits
  readonly #projects = new Map<string, Taken>()
  #taken = 0

  constructor(limits: SharesLimits) {
    this.#limits = limits
  }

  /** How many are taken. */
  get taken(): number {
    return this.#taken
  }

  /** @throws Problem `too_many_requests` for a bound of its own, `busy` when others have taken what there is */
  take(requester: Requester, amount = 1): Share {
    this.#add(requester, amount)
    let held = amount
    return {
      more: more => {
        this.#add(requester, more)
        held += more
      },
      release: () => {
        this.#give(requester, held)
        held = 0
      },
    }
  }

  /** The first bound, from the key's on, that is in the way of taking so much; undefined where none is. */
  inTheWay({ project, key }: Requester, amount = 1): Bound | undefined {
    if (amount === 0) return undefined
    const { all, ofProject, ofKey, kept = 0, first = 1 } = this.#limits
    const taken = this.#projects.get(project)
    const ofOwn = taken?.amount ?? 0
    if ((taken?.keys.get(key) ?? 0) + amount > ofKey) return 'key'
    if (ofOwn + amount > ofProject) return 'project'
    if (ofOwn + amount <= first) return undefined
    return this.#taken + amount > all - (ofOwn === 0 ? 0 : kept) ? 'all' : undefined
  }

  /** What whoever meets a bound is told. */
  refusal(bound: Bound): Problem {
    const { what, all, ofProject, ofKey, retryAfterSeconds: retryAfter = 2 } = this.#limits
    if (bound === 'all')
      return new Problem('busy', `Too many ${what} on this server: the limit is ${all}`, { retryAfter })
    const limit = bound === 'key' ? ofKey : ofProject
    return new Problem('too_many_requests', `Too many ${what}: the limit is ${limit} per ${bound}`, { retryAfter })
  }

  #add(requester: Requester, amount: number): void {
    const bound = this.inTheWay(requester, amount)
    if (bound !== undefined) throw this.refusal(bound)
    const { project, key } = requester
    const taken = this.#projects.get(project) ?? { amount: 0, keys: new Map<string, number>() }
    this.#projects.set(project, taken)
    taken.keys.set(key, (taken.keys.get(key) ?? 0) + amount)
    taken.amount += amount
    this.#taken += amount
  }

  #give({ project, key }: Requester, amount: number): void {
    const taken = this.#projects.get(project)
    if (taken === undefined) return
    const left = (taken.keys.get(key) ?? 0) - amount
    if (left > 0) taken.keys.set(key, left)
    else taken.keys.delete(key)
    taken.amount -= amount
    this.#taken -= amount
    if (taken.keys.size === 0) this.#projects.delete(project)
  }
}
