import type { FairSlots } from '../admission/fair-slots.js'
import type { Requester } from '../admission/requester.js'
import type { Deadline } from './deadline.js'

/**
 * Takes a place, waiting for one until the deadline ends, which is then the reason. @returns gives it back
 * @param waiting whose abort ends the waiting too
 */
export async function placeUntil(
  places: FairSlots,
  requester: Requester,
  deadline: Deadline,
  waiting = new AbortController(),
): Promise<() => void> {
  const stop = deadline.onEnd(() => waiting.abort())
  try {
    return await places.take(requester, { signal: waiting.signal })
  } catch (error) {
    throw deadline.ended ?? error
  } finally {
    stop()
  }
}
