import { checkTrail } from '../../src/activity/check-trail.js'
import { TrailFiles } from '../../src/activity/trail-files.js'
import { type TrailDamage, TrailReader } from '../../src/activity/trail-reader.js'
import { stat } from 'node:fs/promises'
import type { ActivityRecord } from '../../src/store/activity-record.js'

export interface Trail {
  readonly events: readonly ActivityRecord[]
  /** What is not as it was written; a torn last line is none. */
  readonly damage: readonly TrailDamage[]
}

/** The audit trail of a data directory, as its files hold it. */
export async function readTrail(dataDir: string): Promise<Trail> {
  const files = new TrailFiles(dataDir)
  const segment = (await files.segments()).at(-1)
  if (segment === undefined) return { events: [], damage: [] }
  const end = { segment, bytes: (await stat(files.path(segment))).size }
  const reader = new TrailReader(files)
  const events: ActivityRecord[] = []
  for (let atEnd = false; !atEnd;) {
    // oxlint-disable-next-line no-await-in-loop -- a batch at a time
    const batch = await reader.next(end, 5_000)
    events.push(...batch.events)
    atEnd = batch.atEnd
  }
  const { damage } = await checkTrail(dataDir)
  return { events, damage: damage.filter(({ kind, segment: where }) => kind !== 'torn' || where !== segment) }
}
