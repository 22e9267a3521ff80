import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { isWhole, numberOf, sealOf } from './audit-line.js'
import { readLines } from './read-lines.js'
import { type TrailFiles, firstSequence } from './trail-files.js'

/** What the last segment of an earlier run was found to be. */
export interface Recovery {
  /** The highest number that can have been given in it, damaged lines counted. */
  readonly lastSequence: number
  readonly lines: number
  readonly damagedLines: number
  /** Bytes of a torn last line that were cut off. */
  readonly cutBytes: number
  /** Number and seal of the last line, where it is whole and has one. */
  readonly lastLine?: { readonly seq: number; readonly mac: string }
  /** Bytes that stay, and their hash. */
  readonly bytes: number
  readonly sha256: string
}

/**
 * Looks a segment through that another run wrote last, and cuts what a crash left behind the last line end: bytes of a
 * write that was never acknowledged. A whole line with a wrong checksum is damage, not a torn end: it is kept.
 */
export async function recoverSegment(files: TrailFiles, name: string): Promise<Recovery> {
  const handle = await open(files.path(name), 'r+')
  try {
    const { size } = await handle.stat()
    let lastSequence = firstSequence(name) - 1
    let lines = 0
    let damagedLines = 0
    let good = 0
    let lastLine: Recovery['lastLine']
    const hash = createHash('sha256')
    for await (const line of readLines(handle, 0, size)) {
      if (line.next >= size && !line.ended) break
      const number = isWhole(line.bytes) ? numberOf(line.bytes) : undefined
      if (number === undefined) damagedLines += 1
      else lines += 1
      // Each damaged line had a number of its own, which must not be given again.
      lastSequence = number === undefined ? lastSequence + 1 : Math.max(lastSequence, number)
      const seal = number === undefined ? undefined : sealOf(line.bytes)
      lastLine = seal === undefined || number === undefined ? undefined : { seq: number, mac: seal.mac }
      hash.update(line.bytes).update('\n')
      good = line.next
    }
    if (good < size) await handle.truncate(good)
    // Lines a killed process wrote and did not sync are in the file: they are made durable before they count.
    await handle.datasync()
    const kept = { bytes: good, sha256: hash.digest('hex'), ...(lastLine && { lastLine }) }
    return { lastSequence, lines, damagedLines, cutBytes: size - good, ...kept }
  } finally {
    await handle.close()
  }
}
