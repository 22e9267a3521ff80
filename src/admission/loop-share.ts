import { setImmediate } from 'node:timers/promises'
import { FairSlots, type Patience } from './fair-slots.js'
import type { Requester } from './requester.js'

/**
 * Work of this thread that was done at a stretch and took so many milliseconds is followed by so many times as long in which the
 * same project begins none: reading a pipeline takes about 40 % of what reading and compiling it take together, so a project has
 * at most a quarter of the thread for both.
 */
const REST_FACTOR = 10
/** Less is no reason to rest, milliseconds: a pipeline as people write them is read in a fraction of it. */
const SHORTEST_MS = 5
const LONGEST_REST_MS = 1_000

/**
 * The thread that answers, shared by time: work at a stretch that callers can make large, such as reading a pipeline of 64 KiB.
 * Turns (LoopTurns) bound what comes before a request; but a request passes through the loop several times, and one project's
 * endless large work would be met each time.
 */
export class LoopShare {
  /** A project has its place while it rests. */
  readonly #resting: FairSlots

  /** @param what is done, in the plural as messages say it, such as `pipelines to be read` */
  constructor(what: string) {
    // How many wait is bounded by the connections and by the rate.
    this.#resting = new FairSlots({
      what,
      places: Infinity,
      placesOfProject: 1,
      waitingOfKey: Infinity,
      waitingOfProject: Infinity,
    })
  }

  /**
   * Does it at once, or when its project has rested.
   * @throws what `work` throws; Problem `deadline_exceeded` or `cancelled` when its turn does not come in time
   */
  async run<T>(requester: Requester, patience: Patience, work: () => T): Promise<T> {
    let place = this.#resting.hasNone(requester) ? undefined : await this.#resting.take(requester, patience)
    const begun = performance.now()
    try {
      return work()
    } finally {
      const tookMs = performance.now() - begun
      if (tookMs < SHORTEST_MS) place?.()
      else {
        place ??= await this.#resting.take(requester, {})
        setTimeout(place, Math.min(tookMs * REST_FACTOR, LONGEST_REST_MS)).unref()
        // What comes of it, such as compiling what was read, has a turn of its own.
        await setImmediate()
      }
    }
  }
}
