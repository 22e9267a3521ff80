import { Problem } from '../base/problem.js'

/** How many heavy questions there may be. */
export interface HeavyLimits {
  /** Answered at once, of all keys together. */
  readonly running: number
  /** Waiting, of all keys together. */
  readonly waiting: number
  /** Waiting, of one key: less than all, so that one can't fill the queue for the others. */
  readonly waitingOfOne: number
}

export const defaultHeavyLimits: HeavyLimits = { running: 2, waiting: 16, waitingOfOne: 8 }

/** Until when an answer is wanted. */
interface Patience {
  readonly signal?: AbortSignal
  /** Milliseconds from now; what is spent waiting is not there for the answer. */
  readonly deadlineMs: number
}

interface Waiter {
  readonly key: string
  readonly start: () => void
}

/** Seconds after which a refused caller may try again; chosen, not measured. */
const RETRY_AFTER = 2

/**
 * Lets heavy questions through: a few at once, one a key, so that whoever asks many waits for himself and not the others
 * for him. Keys take turns, and of one key first come is first served; one too many is refused as busy.
 */
export class HeavyAdmission {
  readonly #limits: HeavyLimits
  /** Keys that have a question running. */
  readonly #running = new Set<string>()
  readonly #waiting = new Set<Waiter>()
  /** When each key was let through last, counted in turns; forgotten when nobody waits. */
  readonly #turns = new Map<string, number>()
  #turn = 0

  constructor(limits: HeavyLimits = defaultHeavyLimits) {
    this.#limits = limits
  }

  get waiting(): number {
    return this.#waiting.size
  }

  /**
   * Runs an answer in its turn. Rejects with a Problem: `busy` when too many wait, `deadline_exceeded` or `cancelled` when
   * its turn does not come in time.
   */
  async run<T>(key: string, patience: Patience, answer: () => Promise<T>): Promise<T> {
    await this.#turnOf(key, patience)
    try {
      return await answer()
    } finally {
      this.#running.delete(key)
      this.#next()
    }
  }

  #turnOf(key: string, { signal, deadlineMs }: Patience): Promise<void> {
    if (signal?.aborted === true) return Promise.reject(cancelled())
    if (this.#mayRun(key)) {
      this.#start(key)
      return Promise.resolve()
    }
    this.#refuseTooMany(key)
    return new Promise((resolve, reject) => {
      const leave = (problem: Problem) => {
        this.#waiting.delete(waiter)
        stop()
        reject(problem)
      }
      const onAbort = () => leave(cancelled())
      const timer = setTimeout(() => leave(late()), deadlineMs)
      const stop = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', onAbort)
      }
      const waiter: Waiter = {
        key,
        start: () => {
          stop()
          resolve()
        },
      }
      signal?.addEventListener('abort', onAbort, { once: true })
      this.#waiting.add(waiter)
    })
  }

  #mayRun(key: string): boolean {
    return this.#running.size < this.#limits.running && !this.#running.has(key)
  }

  #next(): void {
    for (let waiter = this.#first(); waiter !== undefined; waiter = this.#first()) {
      this.#waiting.delete(waiter)
      this.#start(waiter.key)
      waiter.start()
    }
    if (this.#waiting.size === 0) this.#turns.clear()
  }

  /** Whose key was let through longest ago, of those the one that came first. */
  #first(): Waiter | undefined {
    const [first] = [...this.#waiting]
      .filter(({ key }) => this.#mayRun(key))
      .sort((a, b) => (this.#turns.get(a.key) ?? 0) - (this.#turns.get(b.key) ?? 0))
    return first
  }

  #start(key: string): void {
    this.#running.add(key)
    this.#turn += 1
    this.#turns.set(key, this.#turn)
  }

  #refuseTooMany(key: string): void {
    const { waiting, waitingOfOne } = this.#limits
    const own = [...this.#waiting].filter(waiter => waiter.key === key).length
    if (own >= waitingOfOne) throw busy(`${waitingOfOne} heavy questions of this key are waiting already`)
    if (this.#waiting.size >= waiting) throw busy(`${waiting} heavy questions are waiting already`)
  }
}

function busy(what: string): Problem {
  return new Problem('busy', `${what}; try again in ${RETRY_AFTER} s`, { retryAfter: RETRY_AFTER })
}

function cancelled(): Problem {
  return new Problem('cancelled', 'The request was cancelled')
}

function late(): Problem {
  return new Problem('deadline_exceeded', 'The question waited for earlier heavy questions until its time was over')
}
