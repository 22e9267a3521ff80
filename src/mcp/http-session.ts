import { type McpServer, type RequestId, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import { rpcFailure } from './http-answer.js'
import { cancelledIds, requestIds } from './messages.js'
import type { OpenSession, OpenSessions } from './open-sessions.js'
import type { RequestContext } from './request-context.js'
import { SESSION_REVISIONS } from './revisions.js'
import { serveFetch } from './serve-fetch.js'
import { openingMessage, openingOf, type SessionIds } from './session-ids.js'

export interface HttpSessionsParts {
  readonly build: () => McpServer
  readonly sessions: OpenSessions
  readonly ids: SessionIds
  readonly heartbeatMs: number
  readonly streamedAnswers: boolean
  /** Called once for every session that opened. */
  readonly onOpen: (request: RequestContext) => void
}

/** What a session that does not exist, or belongs to another key, is answered: the same to the last byte. */
export const SESSION_NOT_FOUND = rpcFailure(404, -32001, 'Session not found')

/** Opens a session with its `initialize` request. Throws a Problem when there is no room. */
export async function openHttpSession(
  parts: HttpSessionsParts,
  request: RequestContext,
  message: unknown,
): Promise<void> {
  const { sessions, ids, onOpen } = parts
  sessions.makeRoom(request)
  const session = new HttpSession(parts, ids.make(request.keyId, openingOf(message)), request)
  sessions.add(session)
  await session.connect()
  await session.handle(request, message)
  if (session.opened) onOpen(request)
  else session.end()
}

/**
 * Serves a request on a session. One opened with another key is answered as if it were not there; one that another process opened is
 * opened here too.
 */
export async function serveHttpSession(
  parts: HttpSessionsParts,
  id: string,
  request: RequestContext,
  message: unknown,
): Promise<void> {
  const { sessions, ids } = parts
  const session = sessions.find(HttpSession, id, request) ?? reopened(parts, id, request)
  if (session === undefined || !ids.lasts(request.keyId, id) || (await ids.isEnded(id))) {
    session?.end()
    request.end(SESSION_NOT_FOUND)
    return
  }
  // Before it ends here: a process that dies between has not ended it for itself alone.
  if (request.req.method === 'DELETE') await ids.end(id)
  sessions.touch(session)
  request.res.once('close', () => sessions.touch(session))
  await session.handle(request, message)
}

/** Opens a session here that another process opened, by what its id says. Throws a Problem when there is no room. */
function reopened(parts: HttpSessionsParts, id: string, request: RequestContext): HttpSession | undefined {
  const { sessions, ids } = parts
  const opening = ids.reopen(request.keyId, id)
  if (opening === undefined) return undefined
  sessions.makeRoom(request)
  const session = new HttpSession(parts, id, request)
  sessions.add(session)
  session.reopen(openingMessage(opening))
  return session
}

/**
 * One session of streamable HTTP (revisions 2024-11-05 to 2025-11-25): a protocol server and its transport, and the requests open
 * on it.
 */
class HttpSession implements OpenSession {
  readonly kind = 'session'
  readonly id: string
  readonly keyId: string
  readonly projectId: string
  readonly #server: McpServer
  readonly #transport: WebStandardStreamableHTTPServerTransport
  readonly #open = new Set<RequestContext>()
  /** What waits for the answer to each of the protocol's requests, by its id. */
  readonly #pending = new Map<RequestId, RequestContext>()
  #ready: Promise<void> | undefined

  constructor(
    { build, sessions, heartbeatMs, streamedAnswers }: Omit<HttpSessionsParts, 'ids' | 'onOpen'>,
    id: string,
    { keyId, projectId }: Pick<RequestContext, 'keyId' | 'projectId'>,
  ) {
    this.id = id
    this.keyId = keyId
    this.projectId = projectId
    this.#server = build()
    this.#transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => this.id,
      // One JSON body per POST: where nothing is sent before the answer, a stream would carry a single event.
      enableJsonResponse: !streamedAnswers,
      keepAliveMs: heartbeatMs,
      supportedProtocolVersions: [...SESSION_REVISIONS],
    })
    this.#server.server.onclose = () => {
      // The SDK leaves requests unanswered whose session ends (a DELETE beside a running call).
      for (const request of this.#pending.values()) request.end(SESSION_NOT_FOUND)
      sessions.remove(this)
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

  /** Goes through an opening again, for whose answer no client waits; what comes meanwhile waits for its end. */
  reopen(message: ReturnType<typeof openingMessage>): void {
    this.#ready = this.#goThrough(message)
  }

  async #goThrough(message: object): Promise<void> {
    await this.connect()
    const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
    const request = new Request('http://localhost/mcp', { method: 'POST', headers })
    const answer = await this.#transport.handleRequest(request, { parsedBody: message })
    await answer.arrayBuffer()
  }

  async handle(request: RequestContext, message: unknown): Promise<void> {
    await this.#ready
    const ids = requestIds(message)
    const twice = ids.find((id, i) => this.#pending.has(id) || ids.indexOf(id) !== i)
    if (twice !== undefined) {
      // Answers find their request by its id: a second one would take the first one's place, and that would hang.
      request.end(rpcFailure(400, -32600, 'Invalid request: this id is already in use by a running request'))
      return
    }
    this.#track(request, ids)
    const cancelled = cancelledIds(message)
    await serveFetch(request, async fetched => {
      const options = { authInfo: request.authInfo(), ...(message === undefined ? {} : { parsedBody: message }) }
      const response = await this.#transport.handleRequest(fetched, options)
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

  #track(request: RequestContext, ids: readonly RequestId[]): void {
    this.#open.add(request)
    for (const id of ids) this.#pending.set(id, request)
    request.res.once('close', () => {
      this.#open.delete(request)
      for (const id of ids) this.#pending.delete(id)
    })
  }
}
