import type { Attempt, DeliveryStore } from '../../store/event-store.js'

interface Waiting {
  readonly attempt: Attempt
  readonly done: () => void
  readonly failed: (error: unknown) => void
}

/** Writes what became of attempts: one write at a time, each with all that came while the one before ran. */
export class Settler {
  readonly #store: Pick<DeliveryStore, 'settle'>
  #waiting: Waiting[] = []
  #running = false

  constructor(store: Pick<DeliveryStore, 'settle'>) {
    this.#store = store
  }

  /** Resolves when it is durable. */
  settle(attempt: Attempt): Promise<void> {
    return new Promise((done, failed) => {
      this.#waiting.push({ attempt, done, failed })
      if (!this.#running) void this.#run()
    })
  }

  async #run(): Promise<void> {
    this.#running = true
    while (this.#waiting.length > 0) {
      const batch = this.#waiting
      this.#waiting = []
      try {
        await this.#store.settle(batch.map(({ attempt }) => attempt))
        for (const { done } of batch) done()
      } catch (error) {
        for (const { failed } of batch) failed(error)
      }
    }
    this.#running = false
  }
}
