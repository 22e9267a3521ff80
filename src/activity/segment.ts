import { type FileHandle, open } from 'node:fs/promises'
import { type TrailFiles, segmentName } from './trail-files.js'

/** A segment that is being written. Not for concurrent use: the trail writes one batch at a time. */
export class Segment {
  readonly name: string
  /** When it was opened, on a clock that only goes forward. */
  readonly openedAt = performance.now()
  readonly #handle: FileHandle
  #size = 0

  private constructor(name: string, handle: FileHandle) {
    this.name = name
    this.#handle = handle
  }

  /** Makes a new, empty segment whose first line will have this number. Rejects when there is one of this name. */
  static async create(files: TrailFiles, firstSequence: number): Promise<Segment> {
    const name = segmentName(firstSequence)
    const handle = await open(files.path(name), 'wx', 0o600)
    try {
      await files.sync()
    } catch (error) {
      await handle.close().catch(() => undefined)
      await files.remove(name).catch(() => undefined)
      throw error
    }
    return new Segment(name, handle)
  }

  /** Bytes that are durable. */
  get size(): number {
    return this.#size
  }

  /** Writes at the end; durable when it resolves. After a rejection nothing may be written to this segment again. */
  async write(bytes: Buffer): Promise<void> {
    for (let written = 0; written < bytes.length;) {
      const step = await this.#handle.write(bytes, written, bytes.length - written, this.#size + written)
      written += step.bytesWritten
    }
    await this.#handle.datasync()
    this.#size += bytes.length
  }

  /** Whether its name still leads to it; a file that was deleted under way goes on taking lines nobody will find. */
  async isLinked(): Promise<boolean> {
    return (await this.#handle.stat()).nlink > 0
  }

  close(): Promise<void> {
    return this.#handle.close()
  }
}
