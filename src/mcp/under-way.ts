import { setImmediate } from 'node:timers/promises'

/** The calls and answers being made: what a graceful stop waits for. */
export class UnderWay {
  readonly #promises = new Set<Promise<unknown>>()

  add(promise: Promise<unknown>): void {
    this.#promises.add(promise)
    const remove = (): void => void this.#promises.delete(promise)
    promise.then(remove, remove)
  }

  /** Resolves to `true` when nothing is under way, or to `false` after `graceMs` milliseconds. */
  async ended(graceMs: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined
    const grace = new Promise<boolean>(resolve => {
      timer = setTimeout(() => resolve(false), graceMs)
    })
    try {
      return await Promise.race([this.#ended(), grace])
    } finally {
      clearTimeout(timer)
    }
  }

  async #ended(): Promise<boolean> {
    while (this.#promises.size > 0) {
      await Promise.allSettled(this.#promises)
      // The result of a call that ended is still to be written to its stream.
      await setImmediate()
    }
    return true
  }
}
