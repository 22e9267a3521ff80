import type { KeyRecord } from '../store/records/key.js'

/** Longest wait that a timer takes, in milliseconds; with more it would fire at once. */
const LONGEST_WAIT_MS = 2 ** 31 - 1

/** The instants at which keys end by themselves, a timer each. */
export class KeyEnds {
  readonly #clock: () => number
  readonly #ended: (keyId: string) => void
  readonly #timers = new Map<string, NodeJS.Timeout>()

  /**
   * @param clock milliseconds since 1970
   * @param ended hears of a key whose end has come
   */
  constructor(clock: () => number, ended: (keyId: string) => void) {
    this.#clock = clock
    this.#ended = ended
  }

  /** Whether its end has come, if it has one. */
  hasCome({ expires_at: end }: Pick<KeyRecord, 'expires_at'>): boolean {
    return end !== undefined && Date.parse(end) <= this.#clock()
  }

  /** Waits for the end of a key as it is now, where it is accepted and has one. */
  watch(key: KeyRecord): void {
    const { key_id: id, active, expires_at: end } = key
    this.forget(id)
    if (!active || end === undefined) return
    const wait = Math.max(0, Date.parse(end) - this.#clock())
    const timer =
      wait > LONGEST_WAIT_MS
        ? setTimeout(() => this.watch(key), LONGEST_WAIT_MS)
        : setTimeout(() => this.#ended(id), wait)
    this.#timers.set(id, timer.unref())
  }

  /** Waits for it no longer. */
  forget(keyId: string): void {
    clearTimeout(this.#timers.get(keyId))
    this.#timers.delete(keyId)
  }

  close(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer)
  }
}
