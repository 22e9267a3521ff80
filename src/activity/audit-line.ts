import { crc32 } from 'node:zlib'
import { z } from 'zod'
import type { ActivityRecord } from '../store/activity-record.js'
import { type NewActivityEvent, activityEvent } from './activity-event.js'

/** `,"crc":"01234567"}`: the end of every line. What stands before it is what the checksum is over. */
const END_LENGTH = 18

/** What the trail itself says about a line, beside the event. */
const numbering = z.object({
  seq: z.int().min(1),
  after: z.int().min(0).exactOptional(),
})

/** A line that is whole: its checksum is right. */
export interface CheckedLine {
  readonly seq: number
  /**
   * There only where numbers were passed over on purpose: the number of the line before. Those between belonged to
   * requests that were refused because they could not be written.
   */
  readonly after?: number
  /** The event; absent when the line is whole but says something this program can't read. */
  readonly event?: ActivityRecord
}

function checksum(bytes: string | Buffer): string {
  return crc32(bytes).toString(16).padStart(8, '0')
}

/** The line of an event, with its end: one JSON object that any tool can read, checksum last. */
export function encodeLine(seq: number, after: number | undefined, event: NewActivityEvent): string {
  const text = JSON.stringify({ seq, after, ...event }).slice(0, -1)
  return `${text},"crc":"${checksum(text)}"}\n`
}

/** Whether a line (without its end) is as it was written. */
export function isWhole(line: Buffer): boolean {
  if (line.length <= END_LENGTH) return false
  const cut = line.length - END_LENGTH
  return line.toString('latin1', cut) === `,"crc":"${checksum(line.subarray(0, cut))}"}`
}

/** Reads a line (without its end); `undefined` when it is damaged. */
export function decodeLine(line: Buffer): CheckedLine | undefined {
  if (!isWhole(line)) return undefined
  const json: unknown = JSON.parse(line.toString('utf8'))
  const numbers = numbering.safeParse(json)
  if (!numbers.success) return undefined
  const event = activityEvent.safeParse(json)
  return { ...numbers.data, ...(event.success ? { event: event.data } : {}) }
}
