import { open } from 'node:fs/promises'
import { ifThere } from '../base/error-code.js'
import type { ActivityRecord } from '../store/activity-record.js'
import { decodeLine } from './audit-line.js'
import { readLines, type ReadLine } from './read-lines.js'
import { type TrailFiles, firstSequence } from './trail-files.js'

/** How far the trail is durable: nothing behind it may be read. */
export interface TrailEnd {
  readonly segment: string
  readonly bytes: number
}

/** Something in the trail that is not as it was written. Reading goes on behind it. */
export type TrailDamage =
  | {
      /** damaged: a wrong checksum; unreadable: whole, but not an event of this program; torn: a line without an end. */
      readonly kind: 'damaged' | 'unreadable' | 'torn'
      readonly segment: string
      readonly offset: number
      readonly bytes: number
    }
  | { readonly kind: 'missing'; readonly segment: string; readonly from: number; readonly to: number }

export interface TrailBatch {
  readonly events: readonly ActivityRecord[]
  readonly damage: readonly TrailDamage[]
  /** Whether the end was reached. */
  readonly atEnd: boolean
}

interface Found {
  readonly events: ActivityRecord[]
  readonly damage: TrailDamage[]
}

/** Reads the trail in order, batch after batch, and goes on where it stopped when there is more. */
export class TrailReader {
  readonly #files: TrailFiles
  readonly #after: number
  #segment: string | undefined
  #offset = 0
  /** Number of the last line that was whole; undefined before the first and behind damage, where any may follow. */
  #last: number | undefined

  /** @param after events up to this number are passed over */
  constructor(files: TrailFiles, after = 0) {
    this.#files = files
    this.#after = after
  }

  /** The next events up to `end`, at most `limit`. */
  async next(end: TrailEnd, limit: number): Promise<TrailBatch> {
    const found: Found = { events: [], damage: [] }
    while (found.events.length < limit) {
      if (this.#segment === end.segment && this.#offset >= end.bytes) return { ...found, atEnd: true }
      this.#segment ??= await this.#first(end)
      const finished = await this.#read(this.#segment, end, limit, found)
      if (!finished) continue
      if (this.#segment === end.segment) return { ...found, atEnd: true }
      const current = this.#segment
      this.#segment = (await this.#files.segments()).find(name => name > current) ?? end.segment
      this.#offset = 0
    }
    return { ...found, atEnd: false }
  }

  /** The segment that holds the first event wanted, or the oldest there is. */
  async #first(end: TrailEnd): Promise<string> {
    const names = await this.#files.segments()
    return names.findLast(name => firstSequence(name) <= this.#after + 1) ?? names[0] ?? end.segment
  }

  /** Reads on in a segment; whether all of it that may be read has been. */
  async #read(segment: string, end: TrailEnd, limit: number, found: Found): Promise<boolean> {
    const handle = await ifThere(open(this.#files.path(segment), 'r'))
    // Retention took it.
    if (handle === undefined) return true
    try {
      const until = segment === end.segment ? end.bytes : (await handle.stat()).size
      for await (const line of readLines(handle, this.#offset, until)) {
        if (found.events.length >= limit) return false
        this.#offset = line.next
        this.#take(segment, line, found)
      }
      return true
    } finally {
      await handle.close()
    }
  }

  #take(segment: string, line: ReadLine, found: Found): void {
    const where = { segment, offset: line.offset, bytes: line.bytes.length }
    const read = line.ended ? decodeLine(line.bytes) : undefined
    if (read === undefined) {
      this.#last = undefined
      found.damage.push({ kind: line.ended ? 'damaged' : 'torn', ...where })
      return
    }
    const before = this.#last
    this.#last = read.seq
    const explained = read.after !== undefined && before !== undefined && read.after <= before
    if (before !== undefined && read.seq > before + 1 && !explained) {
      found.damage.push({ kind: 'missing', segment, from: before + 1, to: read.seq - 1 })
    }
    if (read.event === undefined) found.damage.push({ kind: 'unreadable', ...where })
    else if (read.seq > this.#after) found.events.push(read.event)
  }
}
