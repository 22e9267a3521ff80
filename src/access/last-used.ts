import type { KeyStore } from '../store/store.js'

/**
 * When each key was used last, written in batches: authentication only notes the time, a request never waits for the
 * store because of it. A crash loses at most one interval of these times, nothing else.
 */
export class LastUsed {
  readonly #store: Pick<KeyStore, 'touch'>
  /** Milliseconds since 1970 by key_id, since the last write. */
  #pending = new Map<string, number>()

  constructor(store: Pick<KeyStore, 'touch'>) {
    this.#store = store
  }

  /** Notes a use; called on every request. */
  note(keyId: string, at: number): void {
    this.#pending.set(keyId, at)
  }

  /** The time noted for a key and not written yet. */
  pending(keyId: string): string | undefined {
    const at = this.#pending.get(keyId)
    return at === undefined ? undefined : new Date(at).toISOString()
  }

  /** Takes what is noted and writes it; what could not be written is noted again, behind newer notes. */
  async flush(): Promise<ReadonlyMap<string, string>> {
    const batch = this.#pending
    if (batch.size === 0) return new Map()
    this.#pending = new Map()
    const times = new Map([...batch].map(([keyId, at]) => [keyId, new Date(at).toISOString()]))
    try {
      await this.#store.touch(times)
    } catch (error) {
      this.#pending = new Map([...batch, ...this.#pending])
      throw error
    }
    return times
  }
}
