import { type McpServer, parseJSONRPCMessage } from '@modelcontextprotocol/server'
import { SSEServerTransport } from '@modelcontextprotocol/server-legacy/sse'
import { rpcFailure } from './http-answer.js'
import { SESSION_NOT_FOUND } from './http-session.js'
import type { OpenSession, OpenSessions } from './open-sessions.js'
import { SSE_MESSAGE_PATH } from './paths.js'
import type { RequestContext } from './request-context.js'

export interface SseStreamsParts {
  readonly build: () => McpServer
  readonly sessions: OpenSessions
  readonly heartbeatMs: number
  /** Bytes a client may leave untaken before its stream ends: answers must not pile up in memory. */
  readonly maxBacklog: number
  /** Called once for every stream that opened. */
  readonly onOpen: (request: RequestContext) => void
}

/** Opens the event stream of GET /sse. Throws a Problem when there is no room. */
export async function openSseStream(parts: SseStreamsParts, request: RequestContext): Promise<void> {
  const { sessions, onOpen } = parts
  sessions.makeRoom(request)
  const stream = new SseStream(parts, request)
  sessions.add(stream)
  await stream.connect()
  onOpen(request)
}

/** Takes a message in that was posted to the stream of an id: 202 at once, the answer comes on the stream. */
export async function postToSseStream(
  { sessions, maxBacklog }: SseStreamsParts,
  id: string,
  request: RequestContext,
  message: unknown,
): Promise<void> {
  const stream = sessions.find(SseStream, id, request)
  if (stream === undefined) {
    request.end(SESSION_NOT_FOUND)
    return
  }
  if (!isMessage(message)) {
    request.end(rpcFailure(400, -32600, 'Invalid request: the body is not one JSON-RPC message'))
    return
  }
  if (stream.backlog > maxBacklog) {
    stream.end()
    request.end(SESSION_NOT_FOUND)
    return
  }
  sessions.touch(stream)
  await stream.handle(request, message)
  request.res.writeHead(202).end('Accepted')
}

function isMessage(message: unknown): boolean {
  try {
    parseJSONRPCMessage(message)
    return true
  } catch {
    return false
  }
}

/** One event stream of the older HTTP transport: messages come in by POST, every answer goes out on the stream. */
class SseStream implements OpenSession {
  readonly kind = 'sse'
  readonly keyId: string
  readonly projectId: string
  /** A stream is open for as long as it exists. */
  readonly idle = false
  readonly #request: RequestContext
  readonly #server: McpServer
  // Frozen by its makers, not broken: clients that know only this transport are still many.
  // oxlint-disable-next-line typescript/no-deprecated
  readonly #transport: SSEServerTransport

  constructor({ build, sessions, heartbeatMs }: SseStreamsParts, request: RequestContext) {
    const { res, signal, keyId, projectId } = request
    this.keyId = keyId
    this.projectId = projectId
    this.#request = request
    this.#server = build()
    // oxlint-disable-next-line typescript/no-deprecated
    this.#transport = new SSEServerTransport(SSE_MESSAGE_PATH, res)
    // The transport sends none itself, and proxies cut a silent stream.
    const heartbeat = setInterval(() => res.write(': ping\n\n'), heartbeatMs)
    heartbeat.unref()
    signal.addEventListener('abort', () => clearInterval(heartbeat), { once: true })
    this.#server.server.onclose = () => sessions.remove(this)
  }

  get id(): string {
    return this.#transport.sessionId
  }

  async connect(): Promise<void> {
    this.#request.becomeStream()
    await this.#server.connect(this.#transport)
  }

  /** Takes a message in. The answer is made for the caller of its request and wanted as long as the stream lives. */
  async handle(request: RequestContext, message: unknown): Promise<void> {
    await this.#transport.handleMessage(message, { authInfo: request.authInfo(this.#request.signal) })
  }

  /** Bytes that the client has yet to take. */
  get backlog(): number {
    return this.#request.res.writableLength
  }

  toolsChanged(): void {
    this.#server.server.sendToolListChanged().catch(() => undefined)
  }

  end(): void {
    this.#server.close().catch(() => undefined)
  }
}
