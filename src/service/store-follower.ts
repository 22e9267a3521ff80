import { setTimeout as later } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { NotReady } from '../base/not-ready.js'
import { Problem } from '../base/problem.js'
import { within } from '../base/within.js'
import type { Followed } from '../store/shared-records.js'
import type { RecordKind, Versions } from '../store/versions.js'

const LOOK_EVERY_MS = 1_000
/** A process that was killed between a write and raising its version is made up for by this. */
const RELOAD_EVERY_MS = 30_000
/** So long after the last look nobody is let in any more: a key may have been revoked since. */
const STALE_AFTER_MS = 5_000
/** Longest that one look is waited for. */
const MOST_LOOK_MS = 4_000
/** Between two looks, however many ask for one. */
const LEAST_PAUSE_MS = 100

/** Kinds that say who may hear what: where they are not known as of now, nothing is answered. */
const ACCESS: ReadonlySet<RecordKind> = new Set<RecordKind>(['keys', 'projects', 'teams', 'connections'])

interface FollowerParts {
  readonly versions: Versions
  readonly log: Pick<Logger, 'warn' | 'info'>
  /** Milliseconds that only ever go on. */
  readonly clock?: () => number
}

/**
 * Follows what other processes of the store change: each second it reads the versions, and whatever rose is read anew. Where that
 * can't be done for five seconds, nobody is let in.
 */
export class StoreFollower {
  readonly #parts: FollowerParts
  readonly #clock: () => number
  readonly #followed: Followed[] = []
  readonly #behind = new Set<RecordKind>()
  #timer: NodeJS.Timeout | undefined
  #asOf: number
  #reloadedAt: number
  #looking: Promise<void> | undefined
  #next: Promise<void> | undefined
  #isTold = false

  constructor(parts: FollowerParts) {
    this.#parts = parts
    this.#clock = parts.clock ?? (() => performance.now())
    this.#asOf = this.#clock()
    this.#reloadedAt = this.#asOf
  }

  /** From now on these are followed. */
  add(...followed: readonly Followed[]): void {
    this.#followed.push(...followed)
  }

  start(): void {
    this.#timer ??= setInterval(() => void this.look(), LOOK_EVERY_MS).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** Takes up what others did by now, as far as that can be done; shared by all who ask meanwhile. */
  look(): Promise<void> {
    if (this.#looking === undefined) {
      this.#looking = this.#look().finally(() => (this.#looking = undefined))
      return this.#looking
    }
    // What is under way may have read before this was asked.
    this.#next ??= this.#looking
      .then(() => later(LEAST_PAUSE_MS))
      .then(() => {
        this.#next = undefined
        return this.look()
      })
    return this.#next
  }

  /** @throws Problem `store_unavailable` where it is not known what others did lately */
  readonly refuseStale = (): void => {
    if (this.notReady() === undefined) return
    throw new Problem('store_unavailable', 'The store does not tell what other processes changed; try again soon', {
      retryAfter: 1,
    })
  }

  notReady(): NotReady | undefined {
    return this.#clock() - this.#asOf > STALE_AFTER_MS ? { code: 'store_unavailable' } : undefined
  }

  async #look(): Promise<void> {
    const began = this.#clock()
    const { versions, log } = this.#parts
    try {
      // One that hangs must not keep the next from looking.
      const followed = this.#follow(began, versions).then(() => true)
      if (!(await within(MOST_LOOK_MS, followed, () => false))) throw new Error('The store did not answer in time')
      if (this.#isTold) log.info('It is known again what other processes changed')
      this.#isTold = false
    } catch (error) {
      if (!this.#isTold) log.warn({ err: error }, 'What other processes changed could not be read')
      this.#isTold = true
    }
  }

  async #follow(began: number, versions: Versions): Promise<void> {
    const now = await versions.read()
    const isWhole = began - this.#reloadedAt >= RELOAD_EVERY_MS
    const done = await Promise.allSettled(
      this.#followed.map(one => this.#following(one, isWhole ? one.reload() : one.follow(now))),
    )
    if (![...ACCESS].some(kind => this.#behind.has(kind))) this.#asOf = Math.max(this.#asOf, began)
    const failed = done.find(one => one.status === 'rejected')
    if (failed !== undefined) throw failed.reason
    if (isWhole) this.#reloadedAt = began
  }

  async #following({ kind }: Followed, following: Promise<void>): Promise<void> {
    this.#behind.add(kind)
    await following
    this.#behind.delete(kind)
  }
}
