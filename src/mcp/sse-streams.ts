import { parseJSONRPCMessage, type McpServer } from '@modelcontextprotocol/server'
import type { Exchange } from './exchange.js'
import { rpcFailure } from './http-answer.js'
import { SESSION_NOT_FOUND } from './http-session.js'
import type { OpenSessions } from './open-sessions.js'
import { SseStream } from './sse-stream.js'
import type { Visit } from './visit.js'

interface SseStreamsParts {
  readonly build: () => McpServer
  readonly sessions: OpenSessions
  readonly heartbeatMs: number
  /** Bytes a client may leave untaken before its stream ends: answers must not pile up in memory. */
  readonly maxBacklog: number
  /** Called once for every stream that opened. */
  readonly onOpen: (visit: Visit) => void
}

/** The event streams of GET /sse and the messages posted to them. */
export class SseStreams {
  readonly #parts: SseStreamsParts
  readonly #byId = new Map<string, SseStream>()

  constructor(parts: SseStreamsParts) {
    this.#parts = parts
  }

  /** Opens a stream. Throws a Problem when there is no room. */
  async open(exchange: Exchange, visit: Visit): Promise<void> {
    const { build, sessions, heartbeatMs, onOpen } = this.#parts
    sessions.makeRoom(visit)
    const stream = new SseStream({
      keyId: visit.keyId,
      projectId: visit.caller.project_id,
      exchange,
      server: build(),
      heartbeatMs,
      onEnd: ended => {
        this.#byId.delete(ended.id)
        sessions.remove(ended)
      },
    })
    this.#byId.set(stream.id, stream)
    sessions.add(stream)
    await stream.connect()
    onOpen(visit)
  }

  /** Takes a posted message in: 202 at once, the answer comes on the stream. */
  async post(id: string, exchange: Exchange, visit: Visit, message: unknown): Promise<void> {
    const stream = this.#byId.get(id)
    if (stream?.keyId !== visit.keyId) {
      exchange.end(SESSION_NOT_FOUND)
      return
    }
    if (!isMessage(message)) {
      exchange.end(rpcFailure(400, -32600, 'Invalid request: the body is not one JSON-RPC message'))
      return
    }
    if (stream.backlog > this.#parts.maxBacklog) {
      stream.end()
      exchange.end(SESSION_NOT_FOUND)
      return
    }
    this.#parts.sessions.touch(stream)
    await stream.handle(visit, message)
    exchange.res.writeHead(202).end('Accepted')
  }
}

function isMessage(message: unknown): boolean {
  try {
    parseJSONRPCMessage(message)
    return true
  } catch {
    return false
  }
}
