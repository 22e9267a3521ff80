import {
  createMcpHandler,
  isJSONRPCRequest,
  type McpHttpHandler,
  type McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { OpenSessions } from './open-sessions.js'
import type { RequestContext } from './request-context.js'
import { SESSION_REVISIONS } from './revisions.js'
import { serveFetch } from './serve-fetch.js'

interface StatelessRequestsParts {
  readonly build: () => McpServer
  readonly sessions: OpenSessions
  readonly heartbeatMs: number
  readonly maxSessionsPerKey: number
  /** Called once for every request. */
  readonly onOpen: (request: RequestContext) => void
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

  /**
   * Serves a request of revision 2026-07-28, and answers those that fit no revision. Throws a Problem when it opens a stream for
   * which there is no room.
   */
  async serve(request: RequestContext, message: unknown): Promise<void> {
    if (isJSONRPCRequest(message) && message.method === 'subscriptions/listen') this.#takePlace(request)
    this.#parts.onOpen(request)
    const authInfo = request.authInfo()
    const handler = this.#handler(request.keyId)
    // Its streams end by the request's signal; a session's and a single request's don't look at it, and it costs.
    await serveFetch(request, fetched => handler.fetch(fetched, { authInfo, parsedBody: message }), {
      signalled: true,
    })
  }

  /** Serves a request of an older revision that names no session: one server for this one request. */
  async serveOlder(request: RequestContext, message: unknown): Promise<void> {
    this.#parts.onOpen(request)
    const server = this.#parts.build()
    const transport = new WebStandardStreamableHTTPServerTransport({
      enableJsonResponse: true,
      supportedProtocolVersions: [...SESSION_REVISIONS],
    })
    await server.connect(transport)
    request.res.once('close', () => void server.close().catch(() => undefined))
    const authInfo = request.authInfo()
    await serveFetch(request, fetched => transport.handleRequest(fetched, { authInfo, parsedBody: message }))
  }

  toolsChangedFor(keyId: string): void {
    this.#ofKey.get(keyId)?.notify.toolsChanged()
  }

  /** Forgets a revoked key's handler; its exchanges are ended elsewhere. */
  forget(keyId: string): void {
    this.#ofKey.delete(keyId)
  }

  /**
   * The streams of `subscriptions/listen` stay open like a session: they take places among the open ones, so that the caps hold for
   * every transport.
   */
  #takePlace(request: RequestContext): void {
    const { sessions } = this.#parts
    sessions.makeRoom(request)
    const { requestId: id, keyId, projectId } = request
    const stream = {
      kind: 'listen' as const,
      id,
      keyId,
      projectId,
      idle: false,
      // Announced through the handler of its key.
      toolsChanged: () => undefined,
      end: () => request.abandon(),
    }
    sessions.add(stream)
    request.res.once('close', () => sessions.remove(stream))
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
