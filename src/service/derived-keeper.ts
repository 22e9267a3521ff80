import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Projects } from '../access/projects.js'
import type { MakingOptions, SessionIndex, Store, WordStore } from '../store/store.js'

/** What is kept beside calls and made behind the writes. */
export interface Derived {
  /** Who makes it of a project has this lease, with the project's name. */
  readonly lease: string
  /** Said while it takes long, when some was made, and when it could not be. */
  readonly making: string
  readonly made: string
  readonly failed: string
  /** Makes what is not made. Resolves with how much that was. */
  make(projectId: string, timeZone: string, options: MakingOptions): Promise<number>
}

interface Parts {
  readonly derived: Derived
  readonly store: Pick<Store, 'counts' | 'notReady' | 'leases'>
  readonly projects: Pick<Projects, 'list'>
  readonly log: Pick<Logger, 'warn' | 'info' | 'debug'>
  /** How often it is looked whether calls changed. */
  readonly everyMs?: number
  /** How long no call of a project has changed before its days are counted: an import goes first. */
  readonly quietMs?: number
  /** After counting, its days wait so many times as long as that took: what changes all day costs little all day. */
  readonly rests?: number
  /** How often days are looked for that another process left uncounted, as one does that is killed; absent: nobody else writes. */
  readonly anewMs?: number
  /** How long days are left to another process that counts. */
  readonly elsewhereMs?: number
  /** How long after a failure it is tried again, at least. */
  readonly retryMs?: number
  /** How long it is made before it is said so, and again; milliseconds. */
  readonly sayMs?: number
}

const EVERY_MS = 1_000
const QUIET_MS = 3_000
/** Longest that days wait where calls change all the time. */
const LONGEST_MS = 60_000
const RESTS = 20
const RETRY_MS = 60_000
const ELSEWHERE_MS = 5_000
const SAY_MS = 30_000

/** What is known of a project: which state of it was counted, and since when another is there. */
interface Known {
  readonly counted?: string
  readonly countedAt?: number
  readonly seen: string
  readonly seenAt: number
  readonly uncountedSince: number
  /** When its days may be counted again. */
  readonly restsUntil: number
}

/** The counts of days. */
export function countsOf({ counts }: Pick<Store, 'counts'>): Derived {
  return {
    lease: 'counts',
    making: 'days are being counted; questions about the others read calls',
    made: 'days were counted',
    failed: 'days could not be counted',
    make: (projectId, timeZone, options) => counts.countDays(projectId, timeZone, options),
  }
}

/** The words of calls, as what is made behind the writes. */
export function wordsOf(words: WordStore): Derived {
  return {
    lease: 'words',
    making: 'words of calls are being indexed; searches in the others read texts',
    made: 'words were indexed',
    failed: 'words could not be indexed',
    make: (projectId, _, options) => words.indexWords(projectId, options),
  }
}

/** Where single calls stand, as what is made behind the writes. */
export function sessionsOf(sessions: SessionIndex): Derived {
  return {
    lease: 'sessions',
    making: 'calls are being indexed by their ids; the others are looked for',
    made: 'calls were indexed by their ids',
    failed: 'calls could not be indexed by their ids',
    make: (projectId, _, options) => sessions.indexSessions(projectId, options),
  }
}

/**
 * Has made anew what is kept beside calls that changed, project after project, once imports have paused. Nothing depends on it but what
 * answers cost: of what is not made, calls are read.
 */
export class DerivedKeeper {
  readonly #parts: Parts
  readonly #closing = new AbortController()
  readonly #known = new Map<string, Known>()
  #running: Promise<void> = Promise.resolve()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  start(): void {
    this.#running = this.#run()
  }

  /** Resolves when nothing is being counted. */
  async close(): Promise<void> {
    this.#closing.abort()
    await this.#running
  }

  /** Never rejects. */
  async #run(): Promise<void> {
    const { signal } = this.#closing
    const { projects, store, everyMs = EVERY_MS } = this.#parts
    // oxlint-disable no-await-in-loop -- one project after the other, time after time
    while (!signal.aborted) {
      if (store.notReady() === undefined) {
        for (const { project_id: id, timezone } of projects.list()) if (!signal.aborted) await this.#keep(id, timezone)
      }
      await sleep(everyMs, undefined, { signal, ref: false }).catch(() => undefined)
    }
    // oxlint-enable no-await-in-loop
  }

  async #keep(projectId: string, timeZone: string): Promise<void> {
    const { store, log, quietMs = QUIET_MS, rests = RESTS, retryMs = RETRY_MS, anewMs = Infinity } = this.#parts
    const now = performance.now()
    const seen = `${store.counts.changes(projectId)} ${timeZone}`
    const known = this.#known.get(projectId) ?? { seen, seenAt: now, uncountedSince: now, restsUntil: now }
    if (known.counted === seen && now - (known.countedAt ?? now) < anewMs) return
    const uncountedSince = known.counted === known.seen ? now : known.uncountedSince
    const current = { ...known, seen, seenAt: known.seen === seen ? known.seenAt : now, uncountedSince }
    this.#known.set(projectId, current)
    if (now < known.restsUntil) return
    if (now - current.seenAt < quietMs && now - uncountedSince < LONGEST_MS) return
    const restsUntil = () => performance.now() + rests * (performance.now() - now)
    try {
      const made = await this.#makeAlone(projectId, timeZone)
      if (made === undefined) {
        this.#known.set(projectId, { ...current, restsUntil: now + (this.#parts.elsewhereMs ?? ELSEWHERE_MS) })
        return
      }
      if (made > 0) log.debug({ project: projectId, made }, this.#parts.derived.made)
      this.#known.set(projectId, { ...current, counted: seen, countedAt: now, restsUntil: restsUntil() })
    } catch (error) {
      if (this.#closing.signal.aborted) return
      log.warn({ err: error, project: projectId }, `${this.#parts.derived.failed}; trying again`)
      this.#known.set(projectId, { ...current, restsUntil: Math.max(restsUntil(), performance.now() + retryMs) })
    }
  }

  /** Makes what is not made, unless another process does so for the project. */
  async #makeAlone(projectId: string, timeZone: string): Promise<number | undefined> {
    const { derived, log, store, sayMs = SAY_MS } = this.#parts
    const lease = await store.leases.take(`${derived.lease}:${projectId}`)
    if (lease === undefined) return undefined
    let said = performance.now()
    try {
      return await derived.make(projectId, timeZone, {
        signal: AbortSignal.any([this.#closing.signal, lease.lost]),
        progress: done => {
          if (performance.now() - said < sayMs) return
          said = performance.now()
          log.info({ project: projectId, ...done }, derived.making)
        },
      })
    } finally {
      await lease.release()
    }
  }
}
