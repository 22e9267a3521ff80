import { createHmac } from 'node:crypto'
import { faultClass } from '../base/fault-class.js'
import type { NotReady } from '../base/not-ready.js'
import { Problem } from '../base/problem.js'
import { type NewActivityEvent, newActivityEvent } from './activity-event.js'
import { encodeLine } from './audit-line.js'
import type { ChainKey } from './chain-key.js'
import type { AuditTrailOptions } from './audit-trail-options.js'
import { auditUnavailable } from './audit-unavailable.js'
import { removeExpired } from './remove-expired.js'
import type { TrailFiles } from './trail-files.js'
import type { TrailEnd } from './trail-reader.js'
import type { TrailWriter } from './trail-writer.js'

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

interface Parts {
  readonly files: TrailFiles
  readonly writer: TrailWriter
  readonly key: ChainKey
  /** Highest number ever given. */
  readonly lastSequence: number
  readonly options: AuditTrailOptions
}

/**
 * The audit trail: append-only files, every line with its number, a seal
 * that follows from the line before it, and a checksum. Appends that come while a write is under
 * way share the next one (group commit). When a write fails the trail refuses everything, tries again on its own, and
 * goes on in a new segment. See `openAuditTrail`.
 */
export class AuditTrail {
  readonly files: TrailFiles
  readonly #writer: TrailWriter
  readonly #options: AuditTrailOptions
  readonly #key: ChainKey
  #waiting: Waiting[] = []
  /** All that touches the files, one after the other. Never rejects. */
  #work: Promise<void> = Promise.resolve()
  #draining = false
  /** Number of the last line that is durable. */
  #durable: number
  /** Highest number given. Those between `#durable` and it are being written or were refused; none is given twice. */
  #given: number
  /** When the write began that is under way. */
  #writingSince: number | undefined
  #outage: { readonly since: number; readonly cause: unknown; refused: number } | undefined
  #retry: NodeJS.Timeout | undefined
  readonly #upkeep: NodeJS.Timeout
  #closing: Promise<void> | undefined

  constructor(parts: Parts) {
    this.files = parts.files
    this.#writer = parts.writer
    this.#options = parts.options
    this.#key = parts.key
    this.#durable = parts.lastSequence
    this.#given = parts.lastSequence
    this.#upkeep = setInterval(() => void this.upkeep(), parts.options.upkeepMs ?? 60_000).unref()
  }

  /** Number of the last line that is durable. */
  get lastSequence(): number {
    return this.#durable
  }

  /** How far the files may be read. */
  get end(): TrailEnd {
    return this.#writer.end
  }

  /** What signs in the installation's name. */
  get signer(): Pick<ChainKey, 'publicKey' | 'sign'> {
    return this.#key
  }

  /** The file of the head as it has to be beside files that end there. */
  get headText(): string {
    return this.#writer.headText
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

  /** Rotates by age and removes what is too old. Runs by itself every minute; never rejects. */
  async upkeep(): Promise<void> {
    await this.#inTurn(async () => {
      if (this.#outage === undefined && this.#closing === undefined) await this.#writer.upkeep(this.#given + 1)
    })
    try {
      const before = (this.#options.clock ?? Date.now)() - (this.#options.retentionMs ?? 400 * DAY_MS)
      const removed = await removeExpired(this.files, this.end.segment, before, oldest =>
        this.#inTurn(() => this.#writer.begin(oldest)),
      )
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
    await this.#writer.close().catch(() => undefined)
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
    const number = this.#given + 1
    this.#given += events.length
    // A reader must be able to tell numbers that were passed over from lines that are missing.
    const after = number === this.#durable + 1 ? undefined : this.#durable
    let mac = this.#writer.mac
    const lines = events.map((event, index) => {
      const chain = { key: this.#key, previous: mac }
      const encoded = encodeLine(number + index, index === 0 ? after : undefined, event, chain)
      mac = encoded.mac
      return encoded.line
    })
    this.#writingSince = performance.now()
    try {
      await this.#writer.write(Buffer.from(lines.join('')), number, { seq: this.#given, mac })
    } finally {
      this.#writingSince = undefined
    }
    this.#durable = this.#given
  }

  /** Refuses all that waits and starts trying again. */
  async #fail(error: unknown, batch: readonly Waiting[] = []): Promise<void> {
    const refused = [...batch, ...this.#waiting]
    this.#waiting = []
    this.#draining = false
    this.#outage = { since: performance.now(), cause: error, refused: refused.length }
    this.#options.log?.error({ err: error }, "the audit trail can't be written; nothing is answered until it can")
    for (const { reject } of refused) reject(auditUnavailable(error))
    await this.#writer.abandon()
    this.#scheduleRetry()
  }

  #scheduleRetry(): void {
    if (this.#closing !== undefined) return
    this.#retry = setTimeout(() => void this.#inTurn(() => this.#recover()), this.#options.retryMs ?? 1_000).unref()
  }

  async #recover(): Promise<void> {
    if (this.#outage === undefined || this.#closing !== undefined) return
    try {
      // A number of its own for each try: a half-made segment of an earlier one may still have that name.
      this.#given += 1
      await this.#writer.renew(this.#given)
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
