import { RateLimiterRes } from 'rate-limiter-flexible'
import { Problem } from '../base/problem.js'
import { inMemory, type Limiter, type LimiterOf } from './limiters.js'

const WINDOW_S = 60

/** How much of a limit is left, for the headers of the answer. */
export interface Rate {
  readonly limit: number
  readonly remaining: number
  /** Seconds until the window ends. */
  readonly resetSeconds: number
}

/** So many takes a minute for each key. */
export class RateLimit {
  readonly #limiter: Limiter
  readonly #limit: number
  readonly #what: string

  /** @param what ends the sentence "Too many requests: at most 600 …", such as "requests a minute per key" */
  constructor(limit: number, what: string, limiterOf: LimiterOf = inMemory) {
    this.#limiter = limiterOf({ name: what, points: limit, duration: WINDOW_S })
    this.#limit = limit
    this.#what = what
  }

  /** @throws Problem `too_many_requests` with the seconds until the window ends */
  async take(key: string): Promise<Rate> {
    try {
      const { remainingPoints, msBeforeNext } = await this.#limiter.consume(key)
      return { limit: this.#limit, remaining: remainingPoints, resetSeconds: Math.ceil(msBeforeNext / 1000) }
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error
      const retryAfter = Math.max(1, Math.ceil(error.msBeforeNext / 1000))
      throw new Problem('too_many_requests', `Too many requests: at most ${this.#limit} ${this.#what}`, { retryAfter })
    }
  }
}
