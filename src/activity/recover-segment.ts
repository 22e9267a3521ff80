import { open } from 'node:fs/promises'
import { isWhole } from './audit-line.js'
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
}

// Our own lines begin with their number: reading it so costs a tenth of parsing the line.
const NUMBER = /^\{"seq":(\d{1,16})[,}]/

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
    for await (const line of readLines(handle, 0, size)) {
      if (line.next >= size && !line.ended) break
      const number = isWhole(line.bytes) ? NUMBER.exec(line.bytes.toString('latin1', 0, 32))?.[1] : undefined
      if (number === undefined) damagedLines += 1
      else lines += 1
      // Each damaged line had a number of its own, which must not be given again.
      lastSequence = number === undefined ? lastSequence + 1 : Math.max(lastSequence, Number(number))
      good = line.next
    }
    if (good < size) await handle.truncate(good)
    // Lines a killed process wrote and did not sync are in the file: they are made durable before they count.
    await handle.datasync()
    return { lastSequence, lines, damagedLines, cutBytes: size - good }
  } finally {
    await handle.close()
  }
}
