import type { Events } from '../events/events.js'
import type { CallStore } from '../store/store.js'

export interface ErasureParts {
  readonly calls: Pick<CallStore, 'eraseAll'>
  readonly events: Pick<Events, 'forget'>
}

/**
 * Erases calls for good, and everything kept about them elsewhere: the one way, for a request as for retention. A later
 * import of their ids is refused. Erasing again what was cut off halfway does the rest.
 * @returns how many were there
 */
export async function eraseCalls(
  { calls, events }: ErasureParts,
  projectId: string,
  sessionIds: readonly string[],
): Promise<number> {
  // The calls last: as long as they are there, an erasure that was cut off is found again.
  for (const sessionId of sessionIds) await events.forget(projectId, sessionId)
  return await calls.eraseAll(projectId, sessionIds)
}
