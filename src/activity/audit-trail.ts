import { createHmac } from 'node:crypto'
import { faultClass } from '../base/fault-class.js'
import type { NotReady } from '../base/not-ready.js'
import { Problem } from '../base/problem.js'
import { type NewActivityEvent, newActivityEvent } from './activity-event.js'
import type { ChainKey } from './chain-key.js'
import type { AuditSink } from './audit-sink.js'
import type { KeepingOptions } from './audit-trail-options.js'
import { auditUnavailable } from './audit-unavailable.js'

/** Hex digits of a hash: 128 bits, far from any collision. */
const HASH_LENGTH = 32

/**
 * What the audit trail holds in place of a session id, hashed with a secret of this installation: whoever gets hold of
 * the trail alone can't try ids, while the operator can answer "who asked about this call?" by hashing its id again.
 * The same for the same call, always; different for the same id in another project.
 */
export function sessionHash(secret: string, projectId: string, sessionId: string): string {
  const hash = createHmac('sha256', secret).update(JSON.stringify([projectId, sessionId]))
  return hash.digest('hex').slice(0, HASH_LENGTH)
}

/** Lines of one write: many answers share a sync, and making the lines keeps the event loop for a few milliseconds. */
const MOST_LINES_A_WRITE = 1_024

const DAY_MS = 24 * 60 * 60 * 1000

interface Waiting {
  readonly event: NewActivityEvent
  readonly resolve: () => void
  readonly reject: (problem: Problem) => void
}

/**
 * The audit trail: lines that are only ever added, in files or in a store. Appends that come while a write is under
 * way share the next one (group commit). When a write fails the trail refuses everything and tries again on its own.
 */
export class AuditTrail {
  readonly #sink: AuditSink
  readonly #options: KeepingOptions
  #waiting: Waiting[] = []
  /** All that touches the sink, one after the other. Never rejects. */
  #work: Promise<void> = Promise.resolve()
  #draining = false
  /** When the write began that is under way. */
  #writingSince: number | undefined
  #outage: { readonly since: number; readonly cause: unknown; refused: number } | undefined
  #retry: NodeJS.Timeout | undefined
  readonly #upkeep: NodeJS.Timeout
  #closing: Promise<void> | undefined

  constructor(sink: AuditSink, options: KeepingOptions) {
    this.#sink = sink
    this.#options = options
    this.#upkeep = setInterval(() => void this.upkeep(), options.upkeepMs ?? 60_000).unref()
  }

  /** Number of the last line that is durable. */
  get lastSequence(): number {
    return this.#sink.lastSequence
  }

  /** What signs in the installation's name. */
  get signer(): Pick<ChainKey, 'publicKey' | 'sign'> {
    return this.#sink.key
  }

  /** Why no answer may leave at the moment, as a word for /ready; `undefined` when lines can be written. */
  health(): 'audit_unavailable' | 'audit_stalled' | undefined {
    if (this.#outage !== undefined || this.#closing !== undefined) return 'audit_unavailable'
    if (this.#writingSince === undefined) return undefined
    return performance.now() - this.#writingSince > (this.#options.stallMs ?? 5_000) ? 'audit_stalled' : undefined
  }

  /** The same, with the kind of fault behind it. */
  notReady(): NotReady | undefined {
    const code = this.health()
    if (code === undefined) return undefined
    return { code, ...(this.#outage === undefined ? {} : { cause: faultClass(this.#outage.cause) }) }
  }

  /** What stands in the trail for a session id. */
  sessionHash(projectId: string, sessionId: string): string {
    return sessionHash(this.#options.sessionSecret, projectId, sessionId)
  }

  /**
   * Puts an event on record; durable when it resolves. Rejects with a Problem: `store_unavailable` when lines can't be
   * written, `busy` when too many wait. A rejected event may still be on record, an accepted one always is.
   */
  async append(event: NewActivityEvent): Promise<void> {
    const checked = newActivityEvent.parse(event)
    if (this.#closing !== undefined) throw auditUnavailable()
    if (this.#outage !== undefined) {
      this.#outage.refused += 1
      throw auditUnavailable()
    }
    if (this.#waiting.length >= (this.#options.maxWaiting ?? 20_000)) {
      throw new Problem('busy', 'Too many answers wait for the audit trail; try again in 1 s', { retryAfter: 1 })
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ event: checked, resolve, reject })
      if (this.#draining) return
      this.#draining = true
      void this.#inTurn(() => this.#drain())
    })
  }

  /** Keeps the sink in order and removes what is too old. Runs by itself every minute; never rejects. */
  async upkeep(): Promise<void> {
    await this.#inTurn(async () => {
      if (this.#outage === undefined && this.#closing === undefined) await this.#sink.upkeep()
    })
    try {
      const before = (this.#options.clock ?? Date.now)() - (this.#options.retentionMs ?? 400 * DAY_MS)
      const removed = await this.#sink.removeBefore(before, part => this.#inTurn(part))
      if (removed.length > 0) this.#options.log?.info({ segments: removed }, 'old audit segments removed')
    } catch (error) {
      this.#options.log?.warn({ err: error }, 'old audit segments could not be removed')
    }
  }

  /** Writes what waits, then closes. Nothing can be appended from here on. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    clearInterval(this.#upkeep)
    clearTimeout(this.#retry)
    await this.#work
    await this.#sink.close().catch(() => undefined)
  }

  /** Runs a task when those before it have ended; its failure is an outage. */
  #inTurn(task: () => Promise<void>): Promise<void> {
    this.#work = this.#work.then(task).catch((error: unknown) => this.#fail(error))
    return this.#work
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, MOST_LINES_A_WRITE)
      try {
        await this.#write(batch.map(({ event }) => event))
      } catch (error) {
        await this.#fail(error, batch)
        break
      }
      for (const { resolve } of batch) resolve()
    }
    this.#draining = false
  }

  async #write(events: readonly NewActivityEvent[]): Promise<void> {
    this.#writingSince = performance.now()
    try {
      await this.#sink.write(events)
    } finally {
      this.#writingSince = undefined
    }
  }

  /** Refuses all that waits and starts trying again. */
  async #fail(error: unknown, batch: readonly Waiting[] = []): Promise<void> {
    const refused = [...batch, ...this.#waiting]
    this.#waiting = []
    this.#draining = false
    this.#outage = { since: performance.now(), cause: error, refused: refused.length }
    this.#options.log?.error({ err: error }, "the audit trail can't be written; nothing is answered until it can")
    for (const { reject } of refused) reject(auditUnavailable(error))
    await this.#sink.abandon()
    this.#scheduleRetry()
  }

  #scheduleRetry(): void {
    if (this.#closing !== undefined) return
    this.#retry = setTimeout(() => void this.#inTurn(() => this.#recover()), this.#options.retryMs ?? 1_000).unref()
  }

  async #recover(): Promise<void> {
    if (this.#outage === undefined || this.#closing !== undefined) return
    try {
      await this.#sink.renew()
    } catch {
      this.#scheduleRetry()
      return
    }
    const { since, refused } = this.#outage
    this.#outage = undefined
    this.#options.log?.info(
      { refused, ms: Math.round(performance.now() - since) },
      'the audit trail can be written again',
    )
  }
}
