import type { IncomingMessage, ServerResponse } from 'node:http'
import { endQuietly } from './until-either.js'
import { type HttpAnswer, send } from './http-answer.js'

/**
 * One HTTP request and its response. It is over when the client has left or we have ended it; from then on nothing of
 * an answer that is still being made may reach the client.
 */
export class Exchange {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  /** Resolves when the exchange is over, or turned out to be a stream, which has no end of its own. */
  readonly answered: Promise<void>
  #isStream = false
  readonly #controller = new AbortController()
  #resolveAnswered: () => void = () => undefined

  constructor(req: IncomingMessage, res: ServerResponse) {
    this.req = req
    this.res = res
    this.answered = new Promise(resolve => {
      this.#resolveAnswered = resolve
    })
    res.once('close', () => {
      endQuietly(this.#controller)
      this.#resolveAnswered()
    })
  }

  /** Notes that the response is an event stream. */
  becomeStream(): void {
    this.#isStream = true
    this.#resolveAnswered()
  }

  /** Aborts when the exchange is over: answered to the end, left by the client, or ended by us. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  get over(): boolean {
    return this.#controller.signal.aborted
  }

  /**
   * Ends it in place of its own answer; a stream that has begun says why as its last event, which clients that don't
   * know it pass over. What it was running is aborted.
   */
  end(answer: HttpAnswer): void {
    if (this.over) return
    endQuietly(this.#controller)
    if (this.#isStream && this.res.headersSent && !this.res.writableEnded) {
      this.res.write(`event: end\ndata: ${JSON.stringify(answer.body)}\n\n`)
    }
    send(this.res, answer)
    if (!this.res.writableEnded) this.res.end()
  }

  /**
   * Ends it without an answer. A client that cancelled expects none, but would wait for the end of the response; 202
   * without a body is what clients take for "nothing to read".
   */
  abandon(): void {
    if (this.over) return
    endQuietly(this.#controller)
    if (!this.res.headersSent) this.res.writeHead(202)
    if (!this.res.writableEnded) this.res.end()
  }
}
