import type { Events } from '../events/events.js'
import type { PrivacyStore } from '../store/privacy-store.js'
import type { CallStore, ErasureNote } from '../store/store.js'

/** Files that name calls. */
export interface NamingFiles {
  /** Takes calls out of the files, then runs the work that erases them; meanwhile no file comes to name them. */
  without<T>(projectId: string, sessionIds: readonly string[], erase: () => Promise<T>): Promise<T>
}

export interface ErasureParts {
  readonly calls: Pick<CallStore, 'eraseAll'>
  readonly privacy: Pick<PrivacyStore, 'heldAmong'>
  readonly events: Pick<Events, 'hush'>
  readonly reports: NamingFiles
}

/**
 * Erases calls for good, and everything kept about them elsewhere: the one way, for a request as for retention. A later
 * import of their ids is refused. One that was cut off halfway is made whole by erasing again: the calls go last. What a
 * legal hold keeps is left whole.
 * @param note what the log of erasures says of it
 * @returns how many were there and are gone
 */
export async function eraseCalls(
  { calls, privacy, events, reports }: ErasureParts,
  projectId: string,
  sessionIds: readonly string[],
  note: ErasureNote,
): Promise<number> {
  const held = new Set(await privacy.heldAmong(projectId, sessionIds))
  const ids = sessionIds.filter(id => !held.has(id))
  return await reports.without(projectId, ids, async () => {
    events.hush(projectId, ids)
    const erased = await calls.eraseAll(projectId, ids, note)
    // Again: a page of deliveries may have been read meanwhile.
    events.hush(projectId, ids)
    return erased
  })
}
