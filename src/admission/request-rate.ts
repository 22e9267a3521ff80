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
}

/** How many requests are let in a minute: of a project, and of each key of it. */
export class RequestRate {
  readonly #ofKey: RateLimit
  readonly #ofProject: RateLimit

  constructor({
    requestsPerMinute: perKey,
    requestsPerMinutePerProject: perProject = perKey * KEYS_AT_FULL_RATE,
  }: RequestRateSettings) {
    this.#ofKey = new RateLimit(perKey, 'requests a minute per key')
    this.#ofProject = new RateLimit(perProject, 'requests a minute per project')
  }

  /**
   * Takes one. What a key is refused costs its project nothing.
   * @returns what is left of the bound that is nearer
   * @throws Problem `too_many_requests`
   */
  async take({ key, project }: Asking): Promise<Rate> {
    const ofKey = await this.#ofKey.take(JSON.stringify([project ?? null, key]))
    if (project === undefined) return ofKey
    const ofProject = await this.#ofProject.take(project)
    return ofProject.remaining < ofKey.remaining ? ofProject : ofKey
  }
}
