import { setImmediate } from 'node:timers/promises'
import { within } from '../base/within.js'
import type { HttpAnswer } from './http-answer.js'
import type { RequestContext } from './request-context.js'

/** The authenticated requests under way, and the calls being made for them: what a graceful stop waits for, and a revocation ends. */
export class UnderWay {
  readonly #byKey = new Map<string, Set<RequestContext>>()
  readonly #promises = new Set<Promise<unknown>>()

  /** Notes a request that the gate let in, until it is over. */
  begin(request: RequestContext): void {
    const { keyId } = request
    const ofKey = this.#byKey.get(keyId) ?? new Set()
    this.#byKey.set(keyId, ofKey.add(request))
    request.res.once('close', () => {
      ofKey.delete(request)
      if (ofKey.size === 0 && this.#byKey.get(keyId) === ofKey) this.#byKey.delete(keyId)
    })
    this.add(request.answered)
  }

  /** Notes something else that a stop should wait for. */
  add(promise: Promise<unknown>): void {
    this.#promises.add(promise)
    const remove = (): void => void this.#promises.delete(promise)
    promise.then(remove, remove)
  }

  /** Ends everything a key has open: unanswered requests get this answer, streams end. */
  endOf(keyId: string, answer: HttpAnswer): void {
    for (const request of this.#byKey.get(keyId) ?? []) request.end(answer)
  }

  endAll(answer: HttpAnswer): void {
    for (const keyId of this.#byKey.keys()) this.endOf(keyId, answer)
  }

  /** Resolves to `true` when nothing is under way, or to `false` after `graceMs` milliseconds. */
  async ended(graceMs: number): Promise<boolean> {
    return await within(graceMs, this.#ended(), () => false)
  }

  async #ended(): Promise<true> {
    while (this.#promises.size > 0) {
      await Promise.allSettled(this.#promises)
      // The result of a call that ended is still to be written to its stream.
      await setImmediate()
    }
    return true
  }
}
