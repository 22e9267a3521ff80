/** Milliseconds between two tries at most. */
const MOST_WAIT_MS = 60_000

export interface RepeatedParts {
  /** Does what there is to do; what was begun when the signal is aborted is to be left soon. */
  readonly work: (signal: AbortSignal) => Promise<void>
  /** Hears of every failure, with how many there were in a row before. */
  readonly failed: (error: unknown, before: number) => void | Promise<void>
  /** Hears that it works again. */
  readonly recovered: () => void
  /** Milliseconds between two rounds; more and more while it fails. */
  readonly intervalMs: number
}

/** Does a piece of work again and again, with growing pauses while it fails, until it is closed. It starts at once. */
export class Repeated {
  readonly #parts: RepeatedParts
  readonly #closing = new AbortController()
  #failures = 0
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void>

  constructor(parts: RepeatedParts) {
    this.#parts = parts
    this.#running = this.#round()
  }

  /** Ends it; resolves when what was begun is left. */
  async close(): Promise<void> {
    this.#closing.abort()
    clearTimeout(this.#timer)
    await this.#running
  }

  async #round(): Promise<void> {
    const { work, failed, recovered, intervalMs } = this.#parts
    const { signal } = this.#closing
    try {
      await work(signal)
      if (this.#failures > 0) recovered()
      this.#failures = 0
    } catch (error) {
      if (!signal.aborted) await failed(error, this.#failures)
      this.#failures += 1
    }
    if (signal.aborted) return
    const wait = Math.min(MOST_WAIT_MS, intervalMs * 2 ** Math.min(this.#failures, 10))
    this.#timer = setTimeout(() => {
      this.#running = this.#round()
    }, wait).unref()
  }
}
