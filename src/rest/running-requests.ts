import type { ServerResponse } from 'node:http'
import type { Keys } from '../access/keys.js'
import { Problem } from '../base/problem.js'

/** The requests being answered, so that a client that leaves or a key that is revoked ends its own. */
export class RunningRequests {
  readonly #byCredential = new Map<string, Set<AbortController>>()

  /** Hears of revocations from now on; call the returned function to stop. */
  watch(keys: Pick<Keys, 'onChange'>): () => void {
    return keys.onChange(({ keyId, kind }) => {
      if (kind !== 'changed') this.#revoke(keyId)
    })
  }

  /** @returns the signal that aborts, with a Problem as its reason, when this request's answer is no longer wanted */
  begin(response: ServerResponse, credential: string): AbortSignal {
    const controller = new AbortController()
    const running = this.#byCredential.get(credential) ?? new Set()
    this.#byCredential.set(credential, running.add(controller))
    response.once('close', () => {
      running.delete(controller)
      if (running.size === 0 && this.#byCredential.get(credential) === running) this.#byCredential.delete(credential)
      if (!response.writableFinished) controller.abort(new Problem('cancelled', 'The client closed the connection'))
    })
    return controller.signal
  }

  #revoke(keyId: string): void {
    for (const controller of this.#byCredential.get(keyId) ?? []) {
      controller.abort(new Problem('unauthenticated', 'Invalid or inactive API key'))
    }
  }
}
