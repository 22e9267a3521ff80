import { open } from 'node:fs/promises'
import type { AuditTrailOptions } from './audit-trail-options.js'
import { Segment } from './segment.js'
import type { TrailFiles } from './trail-files.js'
import type { TrailEnd } from './trail-reader.js'

/** Room that must be there before the trail is called writable again, so that it doesn't come and go on a full disk. */
const PROBE_BYTES = 256 * 1024

/** Writes and syncs a file of some size beside the segments; rejects when that can't be done. */
async function probe(files: TrailFiles): Promise<void> {
  const handle = await open(files.path('probe'), 'w', 0o600)
  try {
    await handle.writeFile(Buffer.alloc(PROBE_BYTES))
    await handle.datasync()
  } finally {
    await handle.close()
    await files.remove('probe')
  }
}

const DAY_MS = 24 * 60 * 60 * 1000

/** Writes lines into one segment after the other. Not for concurrent use: the trail does one thing at a time. */
export class TrailWriter {
  readonly #files: TrailFiles
  readonly #options: AuditTrailOptions
  #segment: Segment
  #end: TrailEnd
  /** A segment that was given up and may have bytes behind its durable end. */
  #uncut: TrailEnd | undefined
  #rotateFrom = 0

  private constructor(files: TrailFiles, options: AuditTrailOptions, segment: Segment) {
    this.#files = files
    this.#options = options
    this.#segment = segment
    this.#end = { segment: segment.name, bytes: 0 }
  }

  /** @param number the lowest number that the first line can have */
  static async create(files: TrailFiles, number: number, options: AuditTrailOptions): Promise<TrailWriter> {
    return new TrailWriter(files, options, await Segment.create(files, number))
  }

  /** How far the trail is durable. */
  get end(): TrailEnd {
    return this.#end
  }

  /** Writes lines, the first of which has this number; durable when it resolves. After a rejection: `abandon`. */
  async write(bytes: Buffer, number: number): Promise<void> {
    if (this.#isFull() && performance.now() >= this.#rotateFrom) await this.#rotate(number)
    await this.#segment.write(bytes)
    this.#end = { segment: this.#segment.name, bytes: this.#segment.size }
  }

  /** Starts a new segment where the present one is old or was deleted under way. */
  async upkeep(number: number): Promise<void> {
    if (await this.#segment.isLinked()) {
      if (this.#isFull()) await this.#rotate(number)
      return
    }
    this.#options.log?.error(
      { segment: this.#segment.name },
      'the audit segment in use was deleted; its lines are lost',
    )
    await this.#files.prepare()
    await this.#replace(number)
  }

  /**
   * Gives a segment up after a failed write. Nothing is written to it again: after a failed sync the system may drop
   * what it could not write and report success the next time.
   */
  async abandon(): Promise<void> {
    this.#uncut = this.#end
    await this.#segment.close().catch(() => undefined)
  }

  /** Goes on in a new segment after `abandon`; rejects as long as the cause of the failure lasts. */
  async renew(number: number): Promise<void> {
    await this.#files.prepare()
    await probe(this.#files)
    // Whoever opens the trail later cuts it too, so a segment that can't be read any more is no reason to stand still.
    await this.#cutBack().catch((error: unknown) => {
      this.#options.log?.warn({ err: error, segment: this.#uncut?.segment }, 'an audit segment could not be cut back')
    })
    this.#use(await Segment.create(this.#files, number))
  }

  close(): Promise<void> {
    return this.#segment.close()
  }

  #isFull(): boolean {
    const { segmentBytes = 16 * 1024 * 1024, segmentAgeMs = DAY_MS } = this.#options
    if (this.#segment.size === 0) return false
    return this.#segment.size >= segmentBytes || performance.now() - this.#segment.openedAt >= segmentAgeMs
  }

  /** That a new segment can't be made (no free descriptor, say) is no reason to refuse lines the old one can take. */
  async #rotate(number: number): Promise<void> {
    try {
      await this.#replace(number)
    } catch (error) {
      this.#rotateFrom = performance.now() + (this.#options.retryMs ?? 1_000)
      this.#options.log?.warn({ err: error }, 'no new audit segment could be made; going on in the old one')
    }
  }

  async #replace(number: number): Promise<void> {
    const old = this.#segment
    this.#use(await Segment.create(this.#files, number))
    await old.close().catch(() => undefined)
  }

  #use(segment: Segment): void {
    this.#segment = segment
    this.#end = { segment: segment.name, bytes: 0 }
  }

  async #cutBack(): Promise<void> {
    if (this.#uncut === undefined) return
    await cutBack(this.#files, this.#uncut.segment, this.#uncut.bytes)
    this.#uncut = undefined
  }
}

/** Takes from a segment what a failed write may have left behind its durable bytes; one without any is removed. */
async function cutBack(files: TrailFiles, name: string, durableBytes: number): Promise<void> {
  if (durableBytes === 0) {
    await files.remove(name)
    return
  }
  const handle = await open(files.path(name), 'r+')
  try {
    await handle.truncate(durableBytes)
    await handle.datasync()
  } finally {
    await handle.close()
  }
}
