import { crc32 } from 'node:zlib'
import { z } from 'zod'
import type { ActivityRecord } from '../store/activity-record.js'
import { type NewActivityEvent, activityEvent } from './activity-event.js'
import type { ChainKey } from './chain-key.js'

/** `,"crc":"01234567"}`: the end of every line. What stands before it is what the checksum is over. */
const END_LENGTH = 18

/** `,"mac":"…"`, with 32 hex digits: stands before the checksum. Lines from before the chain have none. */
const MAC = /^,"mac":"([0-9a-f]{32})"$/
const MAC_BYTES = 41

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

/** A line as it is written, and its seal, which the next one follows. */
export interface EncodedLine {
  readonly line: string
  readonly mac: string
}

/**
 * The line of an event, with its end: one JSON object that any tool can read, seal and checksum last. The checksum tells
 * of bytes that a disk lost, the seal of lines that somebody changed.
 */
export function encodeLine(
  seq: number,
  after: number | undefined,
  event: NewActivityEvent,
  chain: { readonly key: ChainKey; readonly previous: string },
): EncodedLine {
  const text = JSON.stringify({ seq, after, ...event }).slice(0, -1)
  const mac = chain.key.mac(chain.previous, text)
  const sealed = `${text},"mac":"${mac}"`
  return { line: `${sealed},"crc":"${checksum(sealed)}"}\n`, mac }
}

/** The seal that a whole line (without its end) carries, and the bytes it is over. */
export function sealOf(line: Buffer): { readonly text: Buffer; readonly mac: string } | undefined {
  const end = line.length - END_LENGTH
  const cut = end - MAC_BYTES
  if (cut <= 0) return undefined
  const mac = MAC.exec(line.toString('latin1', cut, end))?.[1]
  return mac === undefined ? undefined : { text: line.subarray(0, cut), mac }
}

/** Whether a line (without its end) is as it was written. */
export function isWhole(line: Buffer): boolean {
  if (line.length <= END_LENGTH) return false
  const cut = line.length - END_LENGTH
  return line.toString('latin1', cut) === `,"crc":"${checksum(line.subarray(0, cut))}"}`
}

// Our own lines begin with their number: reading it so costs a tenth of parsing the line.
const NUMBER = /^\{"seq":(\d{1,16})[,}]/

/** The number of a line, read without parsing the rest. */
export function numberOf(line: Buffer): number | undefined {
  const digits = NUMBER.exec(line.toString('latin1', 0, 32))?.[1]
  return digits === undefined ? undefined : Number(digits)
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
