import { type FileHandle, open, readFile, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'
import { z } from 'zod'
import { syncDirectory } from '../../../base/sync-directory.js'
import type { StorePosition } from './store-position.js'

/** Bytes of a slot: one line of JSON, filled up with blanks. */
const SLOT_BYTES = 128

const slotLine = z.strictObject({ writes: z.int().min(0), at: z.iso.datetime().exactOptional(), crc: z.string() })

/** What was found: `missing` where there is no file, `damaged` where none of its lines is whole. */
export type AcknowledgedFound = StorePosition | 'missing' | 'damaged'

/**
 * The record of the last write that was acknowledged, in a small file beside the store's: what is durable in the store
 * when it is opened must reach at least this far. Without it a store whose write-ahead log was removed or cut opens as
 * if nothing had ever been in it (the engine sees no difference).
 *
 * Two lines of fixed length, written in turn, so that one is whole at any instant. A write is acknowledged when its
 * commit is durable and then this record of it; writers that come together share one sync.
 */
export class AcknowledgedWrites {
  readonly #path: string
  #handle: FileHandle | undefined
  #slot = 0
  #wanted: StorePosition | undefined
  #durable = 0
  #round: Promise<void> | undefined

  constructor(path: string) {
    this.#path = path
  }

  /** What a file says of a position. */
  static text(position: StorePosition): string {
    const line = encode(position)
    return line + line
  }

  /** Reads what a file says, and changes nothing. */
  static async read(path: string): Promise<AcknowledgedFound> {
    let text: string
    try {
      text = await readFile(path, 'latin1')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'missing'
      throw error
    }
    const [first, second] = [decode(text.slice(0, SLOT_BYTES)), decode(text.slice(SLOT_BYTES, 2 * SLOT_BYTES))]
    if (first === undefined || second === undefined) return first ?? second ?? 'damaged'
    return first.writes >= second.writes ? first : second
  }

  /** Notes that writes up to this one may be acknowledged; durable when it resolves. */
  async note(position: StorePosition): Promise<void> {
    if (this.#wanted === undefined || position.writes > this.#wanted.writes) this.#wanted = position
    // The round under way may have begun before this one was wanted.
    while (this.#durable < position.writes) {
      this.#round ??= this.#write().finally(() => (this.#round = undefined))
      // oxlint-disable-next-line no-await-in-loop -- one round after the other
      await this.#round
    }
  }

  /** Makes the file anew, whatever it held; it is there whole or not at all. */
  async start(position: StorePosition): Promise<void> {
    await this.close()
    const draft = `${this.#path}.new`
    const handle = await open(draft, 'w', 0o600)
    try {
      await handle.writeFile(AcknowledgedWrites.text(position), 'latin1')
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(draft, this.#path)
    await syncDirectory(dirname(this.#path))
    this.#wanted = position
    this.#durable = position.writes
  }

  async close(): Promise<void> {
    await this.#round?.catch(() => undefined)
    await this.#giveUp()
  }

  async #write(): Promise<void> {
    const position = this.#wanted
    if (position === undefined) return
    try {
      this.#handle ??= await open(this.#path, 'r+')
      // The other line stays whole, whatever happens to this one, also when it is tried again.
      await this.#handle.write(encode(position), this.#slot * SLOT_BYTES, 'latin1')
      await this.#handle.datasync()
      this.#slot = 1 - this.#slot
    } catch (error) {
      // After a failed sync the system may forget what it could not write; the next one goes through a new descriptor.
      await this.#giveUp()
      throw error
    }
    this.#durable = position.writes
  }

  async #giveUp(): Promise<void> {
    const handle = this.#handle
    this.#handle = undefined
    await handle?.close().catch(() => undefined)
  }
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0')
}

function encode(position: StorePosition): string {
  const text = JSON.stringify(position).slice(0, -1)
  return `${`${text},"crc":"${checksum(text)}"}`.padEnd(SLOT_BYTES - 1)}\n`
}

function decode(line: string): StorePosition | undefined {
  try {
    const { crc, ...position } = slotLine.parse(JSON.parse(line))
    return checksum(JSON.stringify(position).slice(0, -1)) === crc ? position : undefined
  } catch {
    return undefined
  }
}
