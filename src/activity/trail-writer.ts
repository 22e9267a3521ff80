import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import type { AuditTrailOptions } from './audit-trail-options.js'
import type { ChainKey } from './chain-key.js'
import { anchorHead, signHead, writeSegmentHead } from './segment-head.js'
import { Segment } from './segment.js'
import { HeadFile, headText, type TrailHead } from './trail-head.js'
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

/** How far the chain goes behind a write: number and seal of its last line. */
export type ChainEnd = Pick<TrailHead, 'seq' | 'mac'>

/** What a writer begins with. */
export interface TrailStart {
  readonly options: AuditTrailOptions
  readonly key: ChainKey
  /** The head that the first segment of this writer goes on from. */
  readonly head: Omit<TrailHead, 'segment' | 'previous'>
  /** Signed heads of segments of before that are to be kept, by the names of these. */
  readonly heads: ReadonlyMap<string, string>
}

/** Writes lines into one segment after the other. Not for concurrent use: the trail does one thing at a time. */
export class TrailWriter {
  readonly #files: TrailFiles
  readonly #options: AuditTrailOptions
  readonly #key: ChainKey
  #headFile: HeadFile
  #head: TrailHead
  #segment: Segment
  #end: TrailEnd
  /** Over what is durable of the segment. */
  #hash = createHash('sha256')
  /** A segment that was given up and may have bytes behind its durable end. */
  #uncut: TrailEnd | undefined
  #rotateFrom = 0
  /** Signed heads that are not kept yet, by the names of their segments: a full disk takes none. */
  readonly #unkept: Map<string, string>

  private constructor(files: TrailFiles, start: TrailStart, segment: Segment, headFile: HeadFile) {
    this.#files = files
    this.#options = start.options
    this.#key = start.key
    this.#unkept = new Map(start.heads)
    this.#segment = segment
    this.#headFile = headFile
    this.#head = { ...start.head, segment: segment.name, previous: start.head.mac }
    this.#end = { segment: segment.name, bytes: 0 }
  }

  /** @param number the lowest number that the first line can have */
  static async create(files: TrailFiles, number: number, start: TrailStart): Promise<TrailWriter> {
    const segment = await Segment.create(files, number)
    const writer = new TrailWriter(files, start, segment, await HeadFile.open(files, start.key))
    await writer.#headFile.write(writer.#head)
    await files.sync()
    await writer.#keepHeads()
    return writer
  }

  /** How far the trail is durable. */
  get end(): TrailEnd {
    return this.#end
  }

  /** The seal that the next line follows. */
  get mac(): string {
    return this.#head.mac
  }

  /** What stands in the file of the head for what is durable by now. */
  get headText(): string {
    return headText(this.#head, this.#key)
  }

  /** Writes lines, the first of which has this number; durable when it resolves. After a rejection: `abandon`. */
  async write(bytes: Buffer, number: number, chain: ChainEnd): Promise<void> {
    if (this.#isFull() && performance.now() >= this.#rotateFrom) await this.#rotate(number)
    await this.#segment.write(bytes)
    const head = { ...this.#head, ...chain }
    await this.#headFile.write(head)
    this.#head = head
    this.#hash.update(bytes)
    this.#end = { segment: this.#segment.name, bytes: this.#segment.size }
  }

  /** Notes, before older segments are removed, which one is the oldest from now on. */
  async begin(oldest: string): Promise<void> {
    this.#head = { ...this.#head, begins: oldest }
    await this.#headFile.write(this.#head)
  }

  /** Starts a new segment where the present one is old or was deleted under way, and keeps what heads could not be kept before. */
  async upkeep(number: number): Promise<void> {
    await this.#keepHeads()
    if (!(await this.#headFile.isLinked())) {
      this.#options.log?.error({}, 'the head of the audit trail was deleted; it is written again')
      await this.#files.prepare()
      await this.#reopenHead()
    }
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
    await this.#keepHeads()
    await this.#use(await Segment.create(this.#files, number))
    await this.#reopenHead()
  }

  async close(): Promise<void> {
    if (this.#end.bytes > 0) await this.#sign()
    await this.#headFile.close().catch(() => undefined)
    await this.#segment.close()
  }

  /** Signs the head of the segment as it is: it takes no more lines. What fails is told, holds up nothing and is tried again. */
  async #sign(): Promise<void> {
    const { segment, bytes } = this.#end
    const { seq: last, mac, previous } = this.#head
    const sha256 = this.#hash.copy().digest('hex')
    this.#unkept.set(segment, signHead({ segment, last, mac, previous, bytes, sha256 }, this.#key))
    await this.#keepHeads()
  }

  async #keepHeads(): Promise<void> {
    for (const [segment, line] of this.#unkept) {
      if (await keepHead(this.#files, segment, line, this.#options)) this.#unkept.delete(segment)
    }
  }

  async #reopenHead(): Promise<void> {
    await this.#headFile.close().catch(() => undefined)
    this.#headFile = await HeadFile.open(this.#files, this.#key)
    await this.#headFile.write(this.#head)
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
    // Before the next one is there: whoever verifies the trail meanwhile expects it of all but the last.
    if (this.#end.bytes > 0) await this.#sign()
    await this.#use(await Segment.create(this.#files, number))
    await old.close().catch(() => undefined)
  }

  async #use(segment: Segment): Promise<void> {
    this.#segment = segment
    this.#end = { segment: segment.name, bytes: 0 }
    this.#hash = createHash('sha256')
    this.#head = { ...this.#head, segment: segment.name, previous: this.#head.mac }
    await this.#headFile.write(this.#head)
  }

  async #cutBack(): Promise<void> {
    if (this.#uncut === undefined) return
    await cutBack(this.#files, this.#uncut.segment, this.#uncut.bytes)
    if (this.#uncut.bytes > 0) await this.#sign()
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

/**
 * Keeps the signed head of a segment beside it and, where one is configured, at the anchor. Never rejects.
 * @returns whether it is beside it
 */
async function keepHead(
  files: TrailFiles,
  segment: string,
  line: string,
  { anchorFile, log }: Pick<AuditTrailOptions, 'anchorFile' | 'log'>,
): Promise<boolean> {
  let kept = false
  try {
    await writeSegmentHead(files, segment, line)
    kept = true
    if (anchorFile !== undefined) await anchorHead(anchorFile, line)
  } catch (error) {
    log?.error({ err: error, segment }, 'the signed head of an audit segment could not be kept')
  }
  return kept
}
