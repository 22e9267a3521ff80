import {
  createMcpHandler,
  type McpHttpHandler,
  type McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { Exchange } from './exchange.js'
import { SESSION_REVISIONS } from './revisions.js'
import { serveFetch } from './serve-fetch.js'
import type { Visit } from './visit.js'

interface StatelessRequestsParts {
  readonly build: () => McpServer
  readonly heartbeatMs: number
  readonly maxSessionsPerKey: number
}

/** Requests that stand alone: all of revision 2026-07-28, and those of older ones that come without a session. */
export class StatelessRequests {
  readonly #parts: StatelessRequestsParts
  /**
   * One handler per key, made with its first request: what a handler announces reaches every stream opened through it,
   * and a change of one key is no other key's business.
   */
  readonly #ofKey = new Map<string, McpHttpHandler>()

  constructor(parts: StatelessRequestsParts) {
    this.#parts = parts
  }

  /** Serves a request of revision 2026-07-28, and answers those that fit no revision. */
  async serve(exchange: Exchange, visit: Visit, message: unknown): Promise<void> {
    const { authInfo } = visit
    const handler = this.#handler(visit.keyId)
    // Its streams end by the request's signal; a session's and a single request's don't look at it, and it costs.
    await serveFetch(exchange, request => handler.fetch(request, { authInfo, parsedBody: message }), {
      signalled: true,
    })
  }

  /** Serves a request of an older revision that names no session: one server for this one request. */
  async serveOlder(exchange: Exchange, visit: Visit, message: unknown): Promise<void> {
    const server = this.#parts.build()
    const transport = new WebStandardStreamableHTTPServerTransport({
      enableJsonResponse: true,
      supportedProtocolVersions: [...SESSION_REVISIONS],
    })
    await server.connect(transport)
    exchange.res.once('close', () => void server.close().catch(() => undefined))
    const { authInfo } = visit
    await serveFetch(exchange, request => transport.handleRequest(request, { authInfo, parsedBody: message }))
  }

  toolsChangedFor(keyId: string): void {
    this.#ofKey.get(keyId)?.notify.toolsChanged()
  }

  /** Forgets a revoked key's handler; its exchanges are ended elsewhere. */
  forget(keyId: string): void {
    this.#ofKey.delete(keyId)
  }

  #handler(keyId: string): McpHttpHandler {
    const known = this.#ofKey.get(keyId)
    if (known !== undefined) return known
    const handler = createMcpHandler(this.#parts.build, {
      legacy: 'reject',
      keepAliveMs: this.#parts.heartbeatMs,
      maxSubscriptions: this.#parts.maxSessionsPerKey,
    })
    this.#ofKey.set(keyId, handler)
    return handler
  }
}
