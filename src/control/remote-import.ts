import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { Problem } from '../base/problem.js'
import type { PreparedCall, UpsertResult } from '../store/store.js'
import { endLine, type ImportEnd, writeLines } from '../operations/import-frames.js'
import { problemOf } from './wire.js'

const sessionIds = z.array(z.string())
const written = z.strictObject({
  stored: z.int(),
  replaced: z.int(),
  erased: sessionIds,
  taken: sessionIds,
  held: sessionIds,
  unkept: z.array(z.strictObject({ session_id: z.string(), why: z.string() })),
  besideBare: sessionIds,
})

/** Bytes handed to the socket at a time. */
const BLOCK_BYTES = 256 * 1024

/** An import's one request to the running server: batches go up as lines, and a line comes down when each is durable. */
export class RemoteImport {
  readonly #socketPath: string
  readonly #path: string
  #request: ClientRequest | undefined
  #lines: AsyncIterator<string> | undefined
  /** Rejects when the server refuses or goes away. */
  #response: Promise<IncomingMessage> | undefined
  #stored = 0

  constructor(socketPath: string, path: string) {
    this.#socketPath = socketPath
    this.#path = path
  }

  /** Resolves when the calls are durable. */
  async write(calls: readonly PreparedCall[], restoreErased: boolean): Promise<UpsertResult> {
    const request = this.#open(restoreErased)
    let parts: Buffer[] = []
    let length = 0
    for (const line of writeLines(calls)) {
      const part = typeof line === 'string' ? Buffer.from(line) : Buffer.from(line.buffer, line.byteOffset, line.length)
      parts.push(part)
      length += part.length
      if (length < BLOCK_BYTES) continue
      await this.#send(request, Buffer.concat(parts, length))
      parts = []
      length = 0
    }
    await this.#send(request, Buffer.concat(parts, length))
    const result = written.parse(await this.#nextLine())
    this.#stored += result.stored
    return result
  }

  /** Ends the import; resolves when it is on record. */
  async end(counts: ImportEnd): Promise<void> {
    const request = this.#open(false)
    request.end(endLine(counts))
    await this.#nextLine()
  }

  /** Breaks off what is under way. */
  leave(): void {
    this.#request?.destroy()
  }

  #open(restoreErased: boolean): ClientRequest {
    if (this.#request !== undefined) return this.#request
    const request = httpRequest({
      socketPath: this.#socketPath,
      path: `${this.#path}?restore_erased=${restoreErased}`,
      method: 'POST',
      headers: { host: 'localhost', 'content-type': 'application/x-ndjson' },
    })
    this.#request = request
    this.#response = new Promise((resolve, reject) => {
      request.once('response', resolve)
      request.on('error', error => reject(this.#wentAway(error)))
      request.once('close', () => reject(this.#wentAway()))
    })
    // Awaited by whoever writes or reads next.
    this.#response.catch(() => undefined)
    return request
  }

  /** Resolves when the socket takes more. A server that has answered with a refusal takes nothing more. */
  async #send(request: ClientRequest, block: Buffer): Promise<void> {
    if (request.destroyed) throw this.#wentAway()
    if (request.write(block)) return
    await new Promise<void>((resolve, reject) => {
      const go = (): void => {
        request.off('drain', go)
        request.off('close', stop)
        resolve()
      }
      const stop = (): void => {
        request.off('drain', go)
        reject(this.#wentAway())
      }
      request.once('drain', go)
      request.once('close', stop)
    })
  }

  async #nextLine(): Promise<object> {
    this.#lines ??= await this.#answerLines()
    let next: IteratorResult<string>
    try {
      next = await this.#lines.next()
    } catch (error) {
      throw this.#wentAway(error)
    }
    if (next.done === true) throw this.#wentAway()
    const line = z.looseObject({}).parse(JSON.parse(next.value))
    const failure = problemOf({ name: 'The running server' }, line)
    if (failure !== undefined) throw failure
    return line
  }

  async #answerLines(): Promise<AsyncIterator<string>> {
    const response = await this.#response!
    response.on('error', () => undefined)
    return createInterface({ input: response, crlfDelay: Infinity })[Symbol.asyncIterator]()
  }

  #wentAway(cause?: unknown): Problem {
    const problem = new Problem(
      'store_unavailable',
      `The running server ended the import before it was done; ${this.#stored} calls were confirmed and stay`,
    )
    problem.cause = cause
    return problem
  }
}
