import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** How far a file's time may be ahead before the clock is in doubt, in milliseconds. */
const AHEAD_MS = 60_000

/** When something in a data directory was written last, in milliseconds since 1970, where that is yet to come by this clock. */
export function writtenInFuture(directory: string, now: number): number | undefined {
  const times = [directory, join(directory, 'activity')].flatMap(folder =>
    filesIn(folder).map(name => statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0),
  )
  const last = Math.max(0, ...times)
  return last > now + AHEAD_MS ? last : undefined
}

/** None of a directory that is not there, or that this user can't read: others say so. */
function filesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}
