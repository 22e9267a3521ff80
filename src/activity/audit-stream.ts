import { join } from 'node:path'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { z } from 'zod'
import { ifThere } from '../base/error-code.js'
import { parsedJson } from '../base/parsed-json.js'
import type { AuditTrail } from './audit-trail.js'
import { Repeated } from './repeated.js'
import type { StreamTarget } from './stream-targets.js'
import type { TrailLog } from './trail-log.js'
import { TrailReader } from './trail-reader.js'

/** Events that are held in memory at most. */
const BATCH = 200
const INTERVAL_MS = 1_000

const POSITION_FILE = 'audit-stream.json'
const position = z.strictObject({ target: z.string(), seq: z.int().min(0) })

export interface AuditStreamOptions {
  readonly dataDir: string
  readonly trail: Pick<AuditTrail, 'files' | 'end'>
  readonly target: StreamTarget
  /** Names the target: what another one got says nothing of this one. */
  readonly name: string
  readonly log: TrailLog
  readonly intervalMs?: number
}

/**
 * Streams the audit trail elsewhere, each line at least once, from where it stopped. It reads the files like anyone else: a
 * slow target, or none, holds up nothing and takes no more memory than a batch; what it misses it gets later, as long as the
 * trail keeps it.
 */
export class AuditStream {
  readonly #options: AuditStreamOptions
  #reader: TrailReader | undefined
  #sure: number | undefined
  readonly #sending: Repeated

  /** Starts at once. */
  constructor(options: AuditStreamOptions) {
    this.#options = options
    const { log, intervalMs = INTERVAL_MS } = options
    this.#sending = new Repeated({
      work: signal => this.#send(signal),
      failed: (error, before) => {
        // Begin again where it is sure.
        this.#reader = undefined
        if (before === 0) log.warn({ err: error }, 'the audit trail cannot be streamed; trying again')
      },
      recovered: () => log.info({}, 'the audit trail is streamed again'),
      intervalMs,
    })
  }

  /** Ends in order: what got there is remembered. */
  async close(): Promise<void> {
    const sent = this.#sending.close()
    // What waits for a target that takes nothing is broken off.
    const closing = this.#options.target.close()
    await sent
    await this.#keep(await closing.catch(() => undefined)).catch(() => undefined)
  }

  async #send(signal: AbortSignal): Promise<void> {
    const { trail, target } = this.#options
    this.#sure ??= await this.#kept()
    for (let atEnd = false; !atEnd && !signal.aborted;) {
      // oxlint-disable no-await-in-loop -- a batch after the other
      this.#reader ??= new TrailReader(trail.files, this.#sure)
      const next = await this.#reader.next(trail.end, BATCH)
      if (next.events.length > 0) await this.#keep(await target.send(next.events))
      atEnd = next.atEnd
      // oxlint-enable no-await-in-loop
    }
    await this.#keep(target.settled())
  }

  async #kept(): Promise<number> {
    const text = await ifThere(readFile(join(this.#options.dataDir, POSITION_FILE), 'utf8'))
    const read = position.safeParse(text === undefined ? undefined : parsedJson(text))
    return read.success && read.data.target === this.#options.name ? read.data.seq : 0
  }

  async #keep(seq: number | undefined): Promise<void> {
    if (seq === undefined || seq <= (this.#sure ?? 0)) return
    const path = join(this.#options.dataDir, POSITION_FILE)
    // One that is lost by a power failure costs lines that are sent twice.
    await writeFile(`${path}.new`, JSON.stringify({ target: this.#options.name, seq }), { mode: 0o600 })
    await rename(`${path}.new`, path)
    this.#sure = seq
  }
}
