import { onBeat } from '../base/on-beat.js'
import type { Document } from '../pipeline/index.js'
import type { Asker } from './asker.js'
import { callNotFound } from './call-not-found.js'

/**
 * One call in the asker's scope, as a stage shapes it.
 * @param shape the last stage: $project or $unset
 * @throws Problem callNotFound, as late for a call out of scope as for one that does not exist
 */
export async function oneCall(asker: Asker, session: string, shape: object): Promise<Document> {
  const began = performance.now()
  // There is one at most, so that a limit would only be work.
  const [found] = await asker.show([{ $match: { session_id: { $eq: session } } }], shape)
  if (found !== undefined) return found
  // The engine looks a third of a millisecond longer at one that is there and out of scope, and by that it could be told from one that isn't.
  await onBeat(began)
  throw callNotFound(session)
}
