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

/** Records of one kind, and how they are followed. */
interface Following {
  readonly followed: Followed
  /** When the look began that last read all of them anew. */
  reloadedAt: number
  /** Of what is followed apart: it is still at what a look before began. */
  isUnderWay: boolean
}

/**
 * Follows what other processes of the store change: each second it reads the versions, and whatever rose is read anew. Where that
 * can't be done for five seconds of what says who may hear what, nobody is let in. All else is followed apart from it: what may be waiting for
 * a process that died keeps nobody out.
 */
export class StoreFollower {
  readonly #parts: FollowerParts
  readonly #clock: () => number
  readonly #access: Following[] = []
  readonly #others: Following[] = []
  /** What was said not to be known. */
  readonly #told = new Set<RecordKind | 'access'>()
  #timer: NodeJS.Timeout | undefined
  #asOf: number
  #looking: Promise<void> | undefined
  #next: Promise<void> | undefined

  constructor(parts: FollowerParts) {
    this.#parts = parts
    this.#clock = parts.clock ?? (() => performance.now())
    this.#asOf = this.#clock()
  }

  /** From now on these are followed. */
  add(...followed: readonly Followed[]): void {
    for (const one of followed) {
      const kept = ACCESS.has(one.kind) ? this.#access : this.#others
      kept.push({ followed: one, reloadedAt: this.#clock(), isUnderWay: false })
    }
  }

  start(): void {
    this.#timer ??= setInterval(() => void this.look(), LOOK_EVERY_MS).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** Takes up what others did by now to who may hear what, as far as that can be done; shared by all who ask meanwhile. */
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

  /** Never rejects. */
  #look(): Promise<void> {
    return this.#telling('access', this.#follow(this.#clock()))
  }

  async #follow(began: number): Promise<void> {
    const now = await this.#parts.versions.read()
    for (const one of this.#others) void this.#followApart(one, began, now)
    await Promise.all(this.#access.map(one => takeUp(one, began, now)))
    this.#asOf = Math.max(this.#asOf, began)
  }

  /** Never rejects. */
  async #followApart(one: Following, began: number, now: ReadonlyMap<string, number>): Promise<void> {
    if (one.isUnderWay) return
    one.isUnderWay = true
    const following = takeUp(one, began, now).finally(() => (one.isUnderWay = false))
    await this.#telling(one.followed.kind, following)
  }

  /** Waits for a part of a look, not for long, and logs where it does not come to its end, and when it does again. */
  async #telling(what: RecordKind | 'access', looking: Promise<void>): Promise<void> {
    const { log } = this.#parts
    try {
      // One that hangs must not keep the next from looking.
      const done = looking.then(() => true)
      if (!(await within(MOST_LOOK_MS, done, () => false))) throw new Error('The store did not answer in time')
      if (this.#told.delete(what)) log.info({ what }, 'It is known again what other processes changed')
    } catch (error) {
      if (!this.#told.has(what)) log.warn({ err: error, what }, 'What other processes changed could not be read')
      this.#told.add(what)
    }
  }
}

/** @param began when the look did in which the versions were read */
async function takeUp(one: Following, began: number, versions: ReadonlyMap<string, number>): Promise<void> {
  if (began - one.reloadedAt < RELOAD_EVERY_MS) return await one.followed.follow(versions)
  await one.followed.reload()
  one.reloadedAt = began
}
