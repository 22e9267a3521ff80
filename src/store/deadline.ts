import { setMaxListeners } from 'node:events'
import { endedBy, overTime, type Problem } from '../base/problem.js'

/** Of a read: when it ends before its time. */
export interface TimeLeft {
  /** Ends it when its asker goes away. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds until it is interrupted, waiting included. */
  readonly deadlineMs: number
  /** The limit that the deadline is the rest of, for the message; absent = the deadline. Milliseconds. */
  readonly limitMs?: number | undefined
}

/**
 * What ends a query before its time: its deadline or its asker going away. Armed when the query is asked, so waiting
 * counts. `dispose` it in every case.
 */
export class Deadline {
  #ended: Problem | undefined
  readonly #listeners = new Set<() => void>()
  readonly #timer: NodeJS.Timeout
  readonly #signal: AbortSignal | undefined
  #unfollow: (() => void) | undefined
  readonly #onAbort = () => this.#end(endedBy(this.#signal))

  /**
   * @param endsInMs milliseconds from now
   * @param limitMs the limit that it is the rest of, which is what the asker knows; milliseconds
   * @param reason what is said then, if it is not that the limit is over
   */
  constructor(endsInMs: number, signal?: AbortSignal, limitMs = endsInMs, reason?: Problem) {
    this.#timer = setTimeout(() => {
      this.#end(reason ?? overTime('query', limitMs))
    }, endsInMs)
    this.#signal = signal
    if (signal?.aborted === true) this.#onAbort()
    else if (signal !== undefined) {
      // A question asks as much at once as it needs: more than ten listen is no leak.
      setMaxListeners(0, signal)
      signal.addEventListener('abort', this.#onAbort, { once: true })
    }
  }

  static of({ deadlineMs, signal, limitMs }: TimeLeft): Deadline {
    return new Deadline(deadlineMs, signal, limitMs)
  }

  /** Why the query has to end, once it has to. */
  get ended(): Problem | undefined {
    return this.#ended
  }

  /** Calls back when the query has to end; gives back how to stop listening. */
  onEnd(listener: () => void): () => void {
    if (this.#ended !== undefined) listener()
    else this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  dispose(): void {
    clearTimeout(this.#timer)
    this.#unfollow?.()
    this.#signal?.removeEventListener('abort', this.#onAbort)
    this.#listeners.clear()
  }

  /**
   * An end that may come earlier: after so many milliseconds from now, with a reason of its own. `dispose` it too.
   */
  within(milliseconds: number, reason: Problem): Deadline {
    const earlier = new Deadline(milliseconds, undefined, milliseconds, reason)
    earlier.#unfollow = this.onEnd(() => earlier.#end(this.#ended!))
    return earlier
  }

  #end(problem: Problem): void {
    if (this.#ended !== undefined) return
    this.#ended = problem
    for (const listener of this.#listeners) listener()
  }
}
