import { FairSlots } from './fair-slots.js'
import type { Requester } from './requester.js'

/**
 * The thread that answers, as something scarce: each turn of its event loop begins the work on one request. Projects take turns and
 * their keys, so whoever has a thousand requests here at once waits for himself: another's one request goes next, and finds
 * one request's work ahead of it instead of a thousand's. When nobody waits, nobody is kept waiting.
 */
export class LoopTurns {
  readonly #slots = new FairSlots({
    what: 'requests',
    places: 1,
    // How many there are is bounded by the connections and by the rate.
    waitingOfKey: Infinity,
    waitingOfProject: Infinity,
  })

  /**
   * Resolves when it is this request's turn, or when nobody wants its answer any more; never rejects.
   * @param signal until when it is wanted
   */
  async next(requester: Requester, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return
    try {
      const giveBack = await this.#slots.take(requester, { signal })
      setImmediate(giveBack)
    } catch (error) {
      if (!isAborted(signal)) throw error
    }
  }
}

/** Strangers are told apart by so many groups of addresses: whoever has addresses without number must not make as many queues. */
const STRANGER_GROUPS = 64

/** Who shows no credential that is one, by address: all of them together have one project's turns. */
export function strangerAt(address: string): Requester {
  let group = 0
  for (let i = 0; i < address.length; i += 1) group = (group * 31 + address.charCodeAt(i)) % STRANGER_GROUPS
  return { project: ' strangers', key: String(group) }
}

/** By then it may be. */
function isAborted(signal: AbortSignal): boolean {
  return signal.aborted
}
