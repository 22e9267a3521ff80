import { setImmediate } from 'node:timers/promises'
import { FairSlots, type FairSlotsLimits, type Patience } from './fair-slots.js'
import type { Requester } from './requester.js'

/**
 * Work of this thread that was done at a stretch and took so many milliseconds is followed by so many times as long in which the
 * same project begins none: reading a pipeline takes about 40 % of what reading and compiling it take together, so a project has
 * at most a quarter of the thread for both.
 */
const REST_FACTOR = 10
/** Less is not worth a timer, milliseconds: a pipeline as people write them is read in a fraction of it. */
const SHORTEST_MS = 2
const LONGEST_REST_MS = 1_000

/**
 * The thread that answers, shared by time: work at a stretch that callers can make large, such as reading a pipeline of 64 KiB.
 * Turns (LoopTurns) bound what comes before a request; but a request passes through the loop several times, and one project's
 * endless large work would be met each time.
 */
export class LoopShare {
  readonly #slots: FairSlots

  constructor(limits: Pick<FairSlotsLimits, 'what' | 'waitingOfKey' | 'waitingOfProject'>) {
    this.#slots = new FairSlots({ ...limits, places: Infinity, placesOfProject: 1 })
  }

  /**
   * Does it when its project may.
   * @throws what `work` throws; Problem as `FairSlots.take` does
   */
  async run<T>(requester: Requester, patience: Patience, work: () => T): Promise<T> {
    const giveBack = await this.#slots.take(requester, patience)
    const begun = performance.now()
    try {
      return work()
    } finally {
      const tookMs = performance.now() - begun
      if (tookMs < SHORTEST_MS) giveBack()
      else {
        setTimeout(giveBack, Math.min(tookMs * REST_FACTOR, LONGEST_REST_MS)).unref()
        // What comes of it, such as compiling what was read, has a turn of its own.
        await setImmediate()
      }
    }
  }
}
