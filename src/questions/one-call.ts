import { setTimeout } from 'node:timers/promises'
import type { Document } from '../pipeline/index.js'
import type { Asker } from './asker.js'
import { callNotFound } from './call-not-found.js'

/**
 * Milliseconds. A call that is not found is answered at a multiple of them after it was looked for: the engine looks a
 * third of a millisecond longer at one that is there and out of scope, and by that it could be told from one that isn't.
 */
const BEAT_MS = 25

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
  const beats = Math.ceil((performance.now() - began) / BEAT_MS)
  await until(began + beats * BEAT_MS)
  throw callNotFound(session)
}

/** Waits for an instant of performance.now(). Timers count whole milliseconds and may end before it; then once more. */
async function until(instant: number): Promise<void> {
  for (let left = instant - performance.now(); left > 0; left = instant - performance.now()) {
    // oxlint-disable-next-line no-await-in-loop -- each wait is for the rest of the one before
    await setTimeout(Math.ceil(left))
  }
}
