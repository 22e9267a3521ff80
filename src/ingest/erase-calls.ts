import type { Events } from '../events/events.js'
import type { CallStore } from '../store/store.js'

/** Files that name calls. */
export interface NamingFiles {
  /** Takes calls out of the files, then runs the work that erases them; meanwhile no file comes to name them. */
  without<T>(projectId: string, sessionIds: readonly string[], erase: () => Promise<T>): Promise<T>
}

export interface ErasureParts {
  readonly calls: Pick<CallStore, 'eraseAll'>
  readonly events: Pick<Events, 'hush'>
  readonly reports: NamingFiles
}

/**
 * Erases calls for good, and everything kept about them elsewhere: the one way, for a request as for retention. A later
 * import of their ids is refused. One that was cut off halfway is made whole by erasing again: the calls go last.
 * @returns how many were there
 */
export async function eraseCalls(
  { calls, events, reports }: ErasureParts,
  projectId: string,
  sessionIds: readonly string[],
): Promise<number> {
  return await reports.without(projectId, sessionIds, async () => {
    events.hush(projectId, sessionIds)
    const erased = await calls.eraseAll(projectId, sessionIds)
    // Again: a page of deliveries may have been read meanwhile.
    events.hush(projectId, sessionIds)
    return erased
  })
}
