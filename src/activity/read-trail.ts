import { stat } from 'node:fs/promises'
import type { ActivityRecord } from '../store/activity-record.js'
import { TrailFiles } from './trail-files.js'
import { TrailReader } from './trail-reader.js'

/** Events read at a time. */
const BATCH = 1_000

/** All events of a data directory's trail that can be read, oldest first. Changes nothing; a server may be writing. */
export async function* readTrail(dataDir: string): AsyncGenerator<ActivityRecord> {
  const files = new TrailFiles(dataDir)
  const last = (await files.segments()).at(-1)
  if (last === undefined) return
  const end = { segment: last, bytes: (await stat(files.path(last))).size }
  const reader = new TrailReader(files)
  for (let atEnd = false; !atEnd;) {
    const batch = await reader.next(end, BATCH)
    yield* batch.events
    atEnd = batch.atEnd
  }
}
