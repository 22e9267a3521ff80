import { isAddress } from '../calls/call-record.js'
import type { Events } from '../events/events.js'
import type { PrivacyStore } from '../store/privacy-store.js'
import type { CallStore, ErasureNote } from '../store/store.js'
import type { Recordings } from './recordings.js'

/** Files that name calls. */
export interface NamingFiles {
  /** Takes calls out of the files, then runs the work that erases them; meanwhile no file comes to name them. */
  without<T>(projectId: string, sessionIds: readonly string[], erase: () => Promise<T>): Promise<T>
}

export interface ErasureParts {
  readonly calls: Pick<CallStore, 'eraseAll' | 'recordingsOfOnly' | 'eraseTranscripts'>
  readonly privacy: Pick<PrivacyStore, 'heldAmong'>
  readonly events: Pick<Events, 'hush'>
  readonly reports: NamingFiles
  readonly recordings: Pick<Recordings, 'erase'>
}

/**
 * Erases calls for good, and everything kept about them elsewhere: the one way, for a request as for retention. A later
 * import of their ids is refused. One that was cut off halfway is made whole by erasing again: the calls go last. What a
 * legal hold keeps is left whole.
 * @param note what the log of erasures says of it
 * @returns how many were there and are gone
 */
export async function eraseCalls(
  parts: ErasureParts,
  projectId: string,
  sessionIds: readonly string[],
  note: ErasureNote,
): Promise<number> {
  const { calls, events, reports } = parts
  const ids = await notHeld(parts, projectId, sessionIds)
  return await reports.without(projectId, ids, async () => {
    events.hush(projectId, ids)
    await eraseRecordings(parts, projectId, ids)
    const erased = await calls.eraseAll(projectId, ids, note)
    // Again: a page of deliveries may have been read meanwhile.
    events.hush(projectId, ids)
    return erased
  })
}

/** Takes what was said out of calls that no hold keeps, recordings too. @returns how many had any */
export async function eraseSpeech(
  parts: Pick<ErasureParts, 'calls' | 'privacy' | 'recordings'>,
  projectId: string,
  sessionIds: readonly string[],
): Promise<number> {
  const ids = await notHeld(parts, projectId, sessionIds)
  await eraseRecordings(parts, projectId, ids)
  return await parts.calls.eraseTranscripts(projectId, ids)
}

async function notHeld({ privacy }: Pick<ErasureParts, 'privacy'>, projectId: string, sessionIds: readonly string[]) {
  const held = new Set(await privacy.heldAmong(projectId, sessionIds))
  return sessionIds.filter(id => !held.has(id))
}

/** Ahead of the calls, which name them. Of what is kept elsewhere nothing is ours. */
async function eraseRecordings(
  { calls, recordings }: Pick<ErasureParts, 'calls' | 'recordings'>,
  projectId: string,
  sessionIds: readonly string[],
): Promise<void> {
  const places = await calls.recordingsOfOnly(projectId, sessionIds)
  await recordings.erase(
    projectId,
    places.filter(place => !isAddress(place)),
  )
}
