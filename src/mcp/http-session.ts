import { type McpServer, type RequestId, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import type { Exchange } from './exchange.js'
import { rpcFailure } from './http-answer.js'
import { cancelledIds, requestIds } from './messages.js'
import type { OpenSession } from './open-sessions.js'
import { SESSION_REVISIONS } from './revisions.js'
import { serveFetch } from './serve-fetch.js'
import type { Visit } from './visit.js'

interface HttpSessionParts {
  readonly id: string
  readonly keyId: string
  readonly projectId: string
  readonly server: McpServer
  readonly heartbeatMs: number
  readonly streamedAnswers: boolean
  readonly onEnd: (session: HttpSession) => void
}

/** What a session that does not exist, or belongs to another key, is answered: the same to the last byte. */
export const SESSION_NOT_FOUND = rpcFailure(404, -32001, 'Session not found')

/** One session of streamable HTTP: a protocol server and its transport, and the exchanges open on it. */
export class HttpSession implements OpenSession {
  readonly kind = 'session'
  readonly id: string
  readonly keyId: string
  readonly projectId: string
  readonly #server: McpServer
  readonly #transport: WebStandardStreamableHTTPServerTransport
  readonly #open = new Set<Exchange>()
  /** The exchange that waits for each request's answer. */
  readonly #pending = new Map<RequestId, Exchange>()

  constructor({ id, keyId, projectId, server, heartbeatMs, streamedAnswers, onEnd }: HttpSessionParts) {
    this.id = id
    this.keyId = keyId
    this.projectId = projectId
    this.#server = server
    this.#transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      // One JSON body per POST: where nothing is sent before the answer, a stream would carry a single event.
      enableJsonResponse: !streamedAnswers,
      keepAliveMs: heartbeatMs,
      supportedProtocolVersions: [...SESSION_REVISIONS],
    })
    server.server.onclose = () => {
      // The SDK leaves requests unanswered whose session ends (a DELETE beside a running call).
      for (const exchange of this.#pending.values()) exchange.end(SESSION_NOT_FOUND)
      onEnd(this)
    }
  }

  get idle(): boolean {
    return this.#open.size === 0
  }

  /** Whether the client was let in: `initialize` was answered. */
  get opened(): boolean {
    return this.#transport.sessionId !== undefined
  }

  async connect(): Promise<void> {
    await this.#server.connect(this.#transport)
  }

  async handle(exchange: Exchange, visit: Visit, message: unknown): Promise<void> {
    const ids = requestIds(message)
    const twice = ids.find((id, i) => this.#pending.has(id) || ids.indexOf(id) !== i)
    if (twice !== undefined) {
      // Answers find their request by its id: a second one would take the first one's place, and that would hang.
      exchange.end(rpcFailure(400, -32600, 'Invalid request: this id is already in use by a running request'))
      return
    }
    this.#track(exchange, ids)
    const cancelled = cancelledIds(message)
    await serveFetch(exchange, async request => {
      const options = { authInfo: visit.authInfo, ...(message === undefined ? {} : { parsedBody: message }) }
      const response = await this.#transport.handleRequest(request, options)
      // The SDK answers nothing to a cancelled request, not even the end of its response.
      if (response.ok) for (const id of cancelled) this.#pending.get(id)?.abandon()
      return response
    })
  }

  toolsChanged(): void {
    this.#server.server.sendToolListChanged().catch(() => undefined)
  }

  end(): void {
    this.#server.close().catch(() => undefined)
  }

  #track(exchange: Exchange, ids: readonly RequestId[]): void {
    this.#open.add(exchange)
    for (const id of ids) this.#pending.set(id, exchange)
    exchange.res.once('close', () => {
      this.#open.delete(exchange)
      for (const id of ids) this.#pending.delete(id)
    })
  }
}
