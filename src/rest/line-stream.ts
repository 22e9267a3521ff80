import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** The answer of a route that streams: begun with the first line, ended with the last one. */
export class LineStream {
  readonly #reply: FastifyReply
  readonly #signal: AbortSignal
  #lines: PassThrough | undefined

  constructor(reply: FastifyReply, signal: AbortSignal) {
    this.#reply = reply
    this.#signal = signal
  }

  /** Whether a line was said, so that the status is out already. */
  get begun(): boolean {
    return this.#lines !== undefined
  }

  /** Resolves when the client can take more. Rejects when it has left. */
  async say(line: object): Promise<void> {
    this.#signal.throwIfAborted()
    const lines = (this.#lines ??= this.#begin())
    if (!lines.write(`${JSON.stringify(line)}\n`)) await once(lines, 'drain', { signal: this.#signal })
  }

  end(line: object): void {
    const lines = (this.#lines ??= this.#begin())
    lines.end(`${JSON.stringify(line)}\n`)
  }

  #begin(): PassThrough {
    const lines = new PassThrough()
    // A client that leaves is told of by the signal.
    lines.on('error', () => undefined)
    void this.#reply.type('application/x-ndjson').send(lines)
    return lines
  }
}
