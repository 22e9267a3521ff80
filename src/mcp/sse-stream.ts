import type { McpServer } from '@modelcontextprotocol/server'
import { SSEServerTransport } from '@modelcontextprotocol/server-legacy/sse'
import type { Exchange } from './exchange.js'
import type { OpenSession } from './open-sessions.js'
import { Visit } from './visit.js'

/** Where clients of the event stream post their messages; the stream's first event says so. */
export const SSE_MESSAGE_PATH = '/messages'

interface SseStreamParts {
  readonly keyId: string
  readonly projectId: string
  readonly exchange: Exchange
  readonly server: McpServer
  readonly heartbeatMs: number
  readonly onEnd: (stream: SseStream) => void
}

/** One event stream of the older HTTP transport: messages come in by POST, every answer goes out on the stream. */
export class SseStream implements OpenSession {
  readonly kind = 'sse'
  readonly keyId: string
  readonly projectId: string
  /** A stream is open for as long as it exists. */
  readonly idle = false
  readonly #exchange: Exchange
  readonly #server: McpServer
  // Frozen by its makers, not broken: clients that know only this transport are still many.
  // oxlint-disable-next-line typescript/no-deprecated
  readonly #transport: SSEServerTransport

  constructor({ keyId, projectId, exchange, server, heartbeatMs, onEnd }: SseStreamParts) {
    this.keyId = keyId
    this.projectId = projectId
    this.#exchange = exchange
    this.#server = server
    // oxlint-disable-next-line typescript/no-deprecated
    this.#transport = new SSEServerTransport(SSE_MESSAGE_PATH, exchange.res)
    // The transport sends none itself, and proxies cut a silent stream.
    const heartbeat = setInterval(() => exchange.res.write(': ping\n\n'), heartbeatMs)
    heartbeat.unref()
    exchange.signal.addEventListener('abort', () => clearInterval(heartbeat), { once: true })
    server.server.onclose = () => onEnd(this)
  }

  get id(): string {
    return this.#transport.sessionId
  }

  async connect(): Promise<void> {
    this.#exchange.becomeStream()
    await this.#server.connect(this.#transport)
  }

  /** Takes a message in. The answer is made for the caller of this request and wanted as long as the stream lives. */
  async handle(visit: Visit, message: unknown): Promise<void> {
    const onStream = new Visit(visit, this.#exchange.signal)
    await this.#transport.handleMessage(message, { authInfo: onStream.authInfo })
  }

  /** Bytes that the client has yet to take. */
  get backlog(): number {
    return this.#exchange.res.writableLength
  }

  toolsChanged(): void {
    this.#server.server.sendToolListChanged().catch(() => undefined)
  }

  end(): void {
    this.#server.close().catch(() => undefined)
  }
}
