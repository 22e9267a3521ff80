import type { IncomingMessage, ServerResponse } from 'node:http'
import { Exchange } from './exchange.js'
import type { HttpAnswer } from './http-answer.js'

/** The authenticated exchanges under way, by key: what a revocation or the end of the server must end. */
export class Exchanges {
  readonly #open = new Map<string, Set<Exchange>>()

  begin(keyId: string, req: IncomingMessage, res: ServerResponse): Exchange {
    const exchange = new Exchange(req, res)
    const ofKey = this.#open.get(keyId) ?? new Set()
    this.#open.set(keyId, ofKey.add(exchange))
    res.once('close', () => {
      ofKey.delete(exchange)
      if (ofKey.size === 0 && this.#open.get(keyId) === ofKey) this.#open.delete(keyId)
    })
    return exchange
  }

  /** Ends everything a key has open: unanswered requests get this answer, streams end. */
  endOf(keyId: string, answer: HttpAnswer): void {
    for (const exchange of this.#open.get(keyId) ?? []) exchange.end(answer)
  }

  endAll(answer: HttpAnswer): void {
    for (const keyId of this.#open.keys()) this.endOf(keyId, answer)
  }
}
