import { stat } from 'node:fs/promises'
import { TrailFiles } from './trail-files.js'
import { type TrailDamage, TrailReader } from './trail-reader.js'

export interface TrailReport {
  readonly segments: number
  readonly events: number
  readonly damage: readonly TrailDamage[]
}

/** Reads the whole trail of a data directory and changes nothing: what `doctor` says about it. */
export async function checkTrail(dataDir: string): Promise<TrailReport> {
  const files = new TrailFiles(dataDir)
  const segments = await files.segments()
  const last = segments.at(-1)
  if (last === undefined) return { segments: 0, events: 0, damage: [] }
  const end = { segment: last, bytes: (await stat(files.path(last))).size }
  const reader = new TrailReader(files)
  const damage: TrailDamage[] = []
  let events = 0
  for (let atEnd = false; !atEnd;) {
    const batch = await reader.next(end, 1_000)
    damage.push(...batch.damage)
    events += batch.events.length
    atEnd = batch.atEnd
  }
  return { segments: segments.length, events, damage }
}
