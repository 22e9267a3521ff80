import { createHash } from 'node:crypto'
import { open, stat } from 'node:fs/promises'
import { ifThere } from '../base/error-code.js'
import { decodeLine, sealOf } from './audit-line.js'
import { type ChainKey, sameMac } from './chain-key.js'
import { readLines } from './read-lines.js'
import { headName, readSegmentHead, signHead } from './segment-head.js'
import { firstSequence, type TrailFiles } from './trail-files.js'
import type { TrailHead } from './trail-head.js'

/** Number and seal of a line that another one follows. */
interface Link {
  readonly seq: number
  readonly mac: string
}

interface Closed {
  readonly files: TrailFiles
  readonly key: ChainKey
  readonly head: TrailHead
  /** All segments that are there, oldest first. */
  readonly segments: readonly string[]
  /** Highest number ever given. */
  readonly seq: number
}

/**
 * The heads of segments that take no more lines and have none, as a full disk leaves them, signed anew: by name of the segment. Only
 * of those that nothing can be missing of: the first line follows what was signed of the segment before, each line the one before it,
 * and what comes behind the segment its last one, in seal and in number.
 */
export async function signClosed(closed: Closed): Promise<ReadonlyMap<string, string>> {
  const { files, key, head, segments } = closed
  const signed = new Map<string, string>()
  const ends = new Map<string, Link>()
  const kept = segments.filter(name => name >= head.begins && name !== head.segment)
  for (const segment of kept) {
    if (await hasHead(files, segment)) continue
    const at = segments.indexOf(segment)
    const start = beginning(closed, segment) ?? (await endOf(closed, segments[at - 1], ends))
    const found = start && (await followed(files, key, segment, start))
    if (start === undefined || found === undefined || !(await isContinued(closed, found.end, segments[at + 1])))
      continue
    const { end, bytes, sha256 } = found
    ends.set(segment, end)
    const line = { segment, last: end.seq, mac: end.mac, previous: start.mac, bytes, sha256 }
    signed.set(segment, signHead(line, key))
  }
  return signed
}

async function hasHead(files: TrailFiles, segment: string): Promise<boolean> {
  const { size = 0 } = (await ifThere(stat(files.path(headName(segment))))) ?? {}
  return size > 0
}

/** What the first line of the whole chain follows. */
function beginning({ key, head }: Closed, segment: string): Link | undefined {
  if (firstSequence(segment) !== head.chained_from) return undefined
  const seq = head.chained_from - 1
  return { seq, mac: key.mac('first', String(seq)) }
}

async function endOf(
  { files, key }: Closed,
  segment: string | undefined,
  ends: ReadonlyMap<string, Link>,
): Promise<Link | undefined> {
  if (segment === undefined) return undefined
  const known = ends.get(segment)
  if (known !== undefined) return known
  const signed = await readSegmentHead(files, segment, key)
  return typeof signed === 'string' ? undefined : { seq: signed.last, mac: signed.mac }
}

interface Followed {
  readonly end: Link
  readonly bytes: number
  readonly sha256: string
}

/** Reads a segment whose every line follows the one before it; undefined for any other. */
async function followed(files: TrailFiles, key: ChainKey, segment: string, start: Link): Promise<Followed | undefined> {
  const handle = await open(files.path(segment), 'r')
  try {
    const { size } = await handle.stat()
    const hash = createHash('sha256')
    let end: Link | undefined = start
    for await (const { bytes, ended } of readLines(handle, 0, size)) {
      end = ended ? linkOf(key, bytes, end) : undefined
      if (end === undefined) return undefined
      hash.update(bytes).update('\n')
    }
    return end === start ? undefined : { end, bytes: size, sha256: hash.digest('hex') }
  } finally {
    await handle.close()
  }
}

/** Whether the first line of the next segment follows; where there is none, whether nothing was written since. */
async function isContinued({ files, key, head, seq }: Closed, end: Link, next: string | undefined): Promise<boolean> {
  if (next === undefined) return seq === end.seq && head.seq === end.seq && sameMac(head.mac, end.mac)
  const handle = await open(files.path(next), 'r')
  try {
    const { size } = await handle.stat()
    for await (const { bytes, ended } of readLines(handle, 0, size))
      return ended && linkOf(key, bytes, end) !== undefined
    return false
  } finally {
    await handle.close()
  }
}

/** A line that follows another, by its seal and by its number; undefined for any other. */
function linkOf(key: ChainKey, bytes: Buffer, before: Link): Link | undefined {
  const seal = sealOf(bytes)
  if (seal === undefined || !sameMac(key.mac(before.mac, seal.text), seal.mac)) return undefined
  const line = decodeLine(bytes)
  if (line === undefined || (line.after ?? line.seq - 1) !== before.seq) return undefined
  return { seq: line.seq, mac: seal.mac }
}
