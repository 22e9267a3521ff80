import { inMemory, type LimiterOf } from './limiters.js'
import { type Rate, RateLimit } from './rate-limit.js'

/** Requests a minute of one project, for each that one of its keys may make, where nothing else is set. */
const KEYS_AT_FULL_RATE = 20

export interface RequestRateSettings {
  readonly requestsPerMinute: number
  /** Default that of twenty keys. */
  readonly requestsPerMinutePerProject?: number | undefined
}

/** Whose request it is: of a key or administrator of a project, or of an administrator of all of them. */
export interface Asking {
  /** Names the credential, within its project where it has one. */
  readonly key: string
  readonly project?: string | undefined
  /** The key's own bound, which holds where it is less than every key's. */
  readonly perMinute?: number | undefined
}

/** How many requests are let in a minute: of a project, and of each key of it. */
export class RequestRate {
  readonly #ofKey: RateLimit
  readonly #perKey: number
  /** Those of keys with a bound of their own, by it. */
  readonly #own = new Map<number, RateLimit>()
  readonly #ofProject: RateLimit
  readonly #limiterOf: LimiterOf

  constructor(
    {
      requestsPerMinute: perKey,
      requestsPerMinutePerProject: perProject = perKey * KEYS_AT_FULL_RATE,
    }: RequestRateSettings,
    limiterOf: LimiterOf = inMemory,
  ) {
    this.#limiterOf = limiterOf
    this.#perKey = perKey
    this.#ofKey = new RateLimit(perKey, 'requests a minute per key', limiterOf)
    this.#ofProject = new RateLimit(perProject, 'requests a minute per project', limiterOf)
  }

  /**
   * Takes one. What a key is refused costs its project nothing.
   * @returns what is left of the bound that is nearer
   * @throws Problem `too_many_requests`
   */
  async take({ key, project, perMinute }: Asking): Promise<Rate> {
    const ofKey = await this.#limitOf(perMinute).take(JSON.stringify([project ?? null, key]))
    if (project === undefined) return ofKey
    const ofProject = await this.#ofProject.take(project)
    return ofProject.remaining < ofKey.remaining ? ofProject : ofKey
  }

  #limitOf(perMinute: number | undefined): RateLimit {
    if (perMinute === undefined || perMinute >= this.#perKey) return this.#ofKey
    const own = this.#own.get(perMinute) ?? new RateLimit(perMinute, 'requests a minute of this key', this.#limiterOf)
    this.#own.set(perMinute, own)
    return own
  }
}
