import { Repeated } from './repeated.js'
import type { StreamTarget } from './stream-targets.js'
import type { TrailLog } from './trail-log.js'
import type { TrailSource } from './trail-source.js'

/** Events that are held in memory at most. */
const BATCH = 200
const INTERVAL_MS = 1_000

export interface AuditStreamOptions {
  readonly source: TrailSource
  readonly target: StreamTarget
  readonly log: TrailLog
  readonly intervalMs?: number
}

/**
 * Streams the audit trail elsewhere, each line at least once, from where it stopped. It reads what is durable like anyone else: a
 * slow target, or none, holds up nothing and takes no more memory than a batch; what it misses it gets later, as long as the
 * trail keeps it.
 */
export class AuditStream {
  readonly #options: AuditStreamOptions
  readonly #sending: Repeated

  /** Starts at once. */
  constructor(options: AuditStreamOptions) {
    this.#options = options
    const { log, intervalMs = INTERVAL_MS } = options
    this.#sending = new Repeated({
      work: signal => this.#send(signal),
      failed: (error, before) => {
        // Begin again where it is sure.
        options.source.restart()
        if (before === 0) log.warn({ err: error }, 'the audit trail cannot be streamed; trying again')
      },
      recovered: () => log.info({}, 'the audit trail is streamed again'),
      intervalMs,
    })
  }

  /** Ends in order: what got there is remembered. */
  async close(): Promise<void> {
    const { source, target } = this.#options
    const sent = this.#sending.close()
    // What waits for a target that takes nothing is broken off.
    const closing = target.close()
    await sent
    await this.#keep(await closing.catch(() => undefined)).catch(() => undefined)
    await source.close()
  }

  async #send(signal: AbortSignal): Promise<void> {
    const { source, target } = this.#options
    for (let atEnd = false; !atEnd && !signal.aborted;) {
      // oxlint-disable no-await-in-loop -- a batch after the other
      const next = await source.next(BATCH)
      if (next.events.length > 0) await this.#keep(await target.send(next.events))
      atEnd = next.atEnd
      // oxlint-enable no-await-in-loop
    }
    await this.#keep(target.settled())
  }

  async #keep(seq: number | undefined): Promise<void> {
    if (seq !== undefined) await this.#options.source.keep(seq)
  }
}
