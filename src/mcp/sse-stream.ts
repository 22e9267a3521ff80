import type { ServerResponse } from 'node:http'
import { type JSONRPCMessage, type McpServer, parseJSONRPCMessage } from '@modelcontextprotocol/server'
import { SSEServerTransport } from '@modelcontextprotocol/server-legacy/sse'
import { rpcFailure } from './http-answer.js'
import { SESSION_NOT_FOUND } from './http-session.js'
import { cancelledIds, requestIds } from './messages.js'
import { inPieces } from './serve-fetch.js'
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
  readonly #transport: Transport
  /** What waits for the answer to each of the protocol's requests, by its id. */
  readonly #asking = new Map<unknown, RequestContext>()
  /** What the client is told as it takes it, and how many bytes of it wait. */
  readonly #untold: Untold[] = []
  #untoldBytes = 0
  #isTelling = false

  constructor({ build, sessions, heartbeatMs }: SseStreamsParts, request: RequestContext) {
    const { res, signal, keyId, projectId } = request
    this.keyId = keyId
    this.projectId = projectId
    this.#request = request
    this.#server = build()
    this.#transport = new Transport(res, message => this.#tell(message))
    // The transport sends none itself, and proxies cut a silent stream.
    const heartbeat = setInterval(() => void (this.#isTelling || res.write(': ping\n\n')), heartbeatMs)
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
    for (const id of requestIds(message)) this.#asking.set(id, request)
    for (const id of cancelledIds(message)) this.#asking.delete(id)
    await this.#transport.handleMessage(message, { authInfo: request.authInfo(this.#request.signal) })
  }

  /** Bytes that the client has yet to take. */
  get backlog(): number {
    return this.#untoldBytes + this.#request.res.writableLength
  }

  #tell(message: JSONRPCMessage): void {
    const isAnswer = 'id' in message && !('method' in message)
    const asked = isAnswer ? this.#asking.get(message.id) : undefined
    if (isAnswer) this.#asking.delete(message.id)
    const bytes = Buffer.from(`event: message\ndata: ${JSON.stringify(message)}\n\n`)
    this.#untold.push({ bytes, asked })
    this.#untoldBytes += bytes.byteLength
    if (!this.#isTelling) void this.#tellAll()
  }

  /** Never rejects: what may be told no more ends the stream, and the client asks again on another. */
  async #tellAll(): Promise<void> {
    this.#isTelling = true
    try {
      for (let next = this.#untold.shift(); next !== undefined; next = this.#untold.shift()) {
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        await inPieces(this.#request, next.bytes, next.asked)
        this.#untoldBytes -= next.bytes.byteLength
      }
    } catch {
      this.#request.res.destroy()
    }
    this.#isTelling = false
  }

  toolsChanged(): void {
    this.#server.server.sendToolListChanged().catch(() => undefined)
  }

  end(): void {
    // What waits for a slow reader is not told any more.
    if (this.backlog > 0) this.#request.res.destroy()
    this.#server.close().catch(() => undefined)
  }
}

/** Something that the client is yet to be told, and the request that it answers. */
interface Untold {
  readonly bytes: Buffer
  readonly asked: RequestContext | undefined
}

// oxlint-disable typescript/no-deprecated -- frozen by its makers, not broken: clients that know only this transport are still many
class Transport extends SSEServerTransport {
  readonly #tell: (message: JSONRPCMessage) => void

  constructor(res: ServerResponse, tell: (message: JSONRPCMessage) => void) {
    super(SSE_MESSAGE_PATH, res)
    this.#tell = tell
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    await Promise.resolve(this.#tell(message))
  }
}
// oxlint-enable typescript/no-deprecated
