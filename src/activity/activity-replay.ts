import type { ActivityTable } from '../store/activity-store.js'
import type { FileAuditTrail } from './file-audit-trail.js'
import { TrailReader } from './trail-reader.js'
import type { TrailLog } from './trail-log.js'

const DAY_MS = 24 * 60 * 60 * 1000
const HOUR = DAY_MS / 24

export interface ActivityReplayOptions {
  readonly trail: Pick<FileAuditTrail, 'files' | 'end'>
  readonly table: Pick<ActivityTable, 'insert' | 'lastSequence' | 'deleteBefore'>
  /** Milliseconds between two looks at the trail; default 1,000. */
  readonly intervalMs?: number
  /** Events of one insert; default 1,000. */
  readonly batch?: number
  /** The table forgets events older than this, in milliseconds; default 400 days. */
  readonly retentionMs?: number
  /** The time, milliseconds since 1970. */
  readonly clock?: () => number
  readonly log?: TrailLog
}

/**
 * Copies the audit trail into the table that questions read, from where the table stands. It reads the files like anyone
 * else, so a slow or failing table holds up nothing; what it misses it reads later.
 */
export class ActivityReplay {
  readonly #options: ActivityReplayOptions
  readonly #clock: () => number
  #reader: TrailReader | undefined
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #failing = false
  #closed = false
  #deleteFrom = 0

  /** Starts at once; what the trail holds by now is copied in the background. */
  constructor(options: ActivityReplayOptions) {
    this.#options = options
    this.#clock = options.clock ?? Date.now
    void this.#tick()
  }

  /**
   * Copies what is durable by now, at once instead of within the second. Rejects when the table fails; the next try
   * comes by itself.
   */
  async catchUp(): Promise<void> {
    // The round under way may have looked before the last line was there.
    await this.#running?.catch(() => undefined)
    await this.#round()
  }

  /** Stops after the batch under way. */
  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await this.#running?.catch(() => undefined)
  }

  async #tick(): Promise<void> {
    const { log, intervalMs = 1_000 } = this.#options
    try {
      await this.#round()
      await this.#forget()
      if (this.#failing) log?.info({}, 'the activity table follows the audit trail again')
      this.#failing = false
    } catch (error) {
      if (!this.#failing) log?.warn({ err: error }, 'the activity table falls behind the audit trail; trying again')
      this.#failing = true
    }
    if (!this.#closed) this.#timer = setTimeout(() => void this.#tick(), intervalMs).unref()
  }

  /** One round at a time: whoever comes while one runs shares it. */
  #round(): Promise<void> {
    this.#running ??= this.#copy().finally(() => (this.#running = undefined))
    return this.#running
  }

  async #copy(): Promise<void> {
    const { trail, table, batch = 1_000 } = this.#options
    for (let atEnd = false; !atEnd && !this.#closed;) {
      this.#reader ??= new TrailReader(trail.files, await table.lastSequence())
      try {
        const next = await this.#reader.next(trail.end, batch)
        for (const damage of next.damage) this.#options.log?.error({ ...damage }, 'the audit trail is damaged')
        if (next.events.length > 0) await table.insert(next.events)
        atEnd = next.atEnd
      } catch (error) {
        // The reader is ahead of the table now: begin again where the table stands.
        this.#reader = undefined
        throw error
      }
    }
  }

  /** Once an hour the table forgets what is too old. */
  async #forget(): Promise<void> {
    if (performance.now() < this.#deleteFrom) return
    await this.#options.table.deleteBefore(this.#clock() - (this.#options.retentionMs ?? 400 * DAY_MS))
    this.#deleteFrom = performance.now() + HOUR
  }
}
