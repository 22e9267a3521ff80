import { open } from 'node:fs/promises'
import { decodeLine } from './audit-line.js'
import { readLines } from './read-lines.js'
import { headName } from './segment-head.js'
import type { TrailFiles } from './trail-files.js'

/** Bytes at the end of a segment in which its last events are found. */
const TAIL_BYTES = 64 * 1024

/** The time of a segment's newest event, milliseconds since 1970; of the file itself where no line can be read. */
async function newestIn(path: string): Promise<number> {
  const handle = await open(path, 'r')
  try {
    const { size, mtimeMs } = await handle.stat()
    let newest: number | undefined
    for await (const line of readLines(handle, Math.max(0, size - TAIL_BYTES), size)) {
      const at = decodeLine(line.bytes)?.event?.at
      if (at !== undefined) newest = Math.max(newest ?? -Infinity, Date.parse(at))
    }
    return newest ?? mtimeMs
  } finally {
    await handle.close()
  }
}

/**
 * Removes the segments whose events are all before an instant (milliseconds since 1970), oldest first and only up to
 * the first that is not; never `current` or what comes after it. Gives back the names removed.
 *
 * @param onBegin is told which segment is to be the oldest, before anything is removed
 */
export async function removeExpired(
  files: TrailFiles,
  current: string,
  before: number,
  onBegin: (oldest: string) => Promise<void>,
): Promise<readonly string[]> {
  const removed: string[] = []
  let oldest: string | undefined
  for (const name of await files.segments()) {
    oldest = name
    if (name >= current || (await newestIn(files.path(name))) >= before) break
    removed.push(name)
    oldest = undefined
  }
  if (removed.length > 0) await onBegin(oldest ?? current)
  for (const name of removed) {
    await files.remove(name)
    await files.remove(headName(name))
  }
  if (removed.length > 0) await files.sync()
  return removed
}
