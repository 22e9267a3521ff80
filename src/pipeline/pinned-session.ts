import type { Stage } from './tree.js'

/** The one session that a $match names at its top level, where it names one. */
export function pinnedSession(stage: Pick<Stage, 'pins'> | undefined): string | undefined {
  return stage?.pins?.find(({ field }) => field === '_id' || field === 'session_id')?.value
}
