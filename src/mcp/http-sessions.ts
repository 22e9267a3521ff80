import { randomUUID } from 'node:crypto'
import type { McpServer } from '@modelcontextprotocol/server'
import type { Exchange } from './exchange.js'
import { HttpSession, SESSION_NOT_FOUND } from './http-session.js'
import type { OpenSessions } from './open-sessions.js'
import type { Visit } from './visit.js'

interface HttpSessionsParts {
  readonly build: () => McpServer
  readonly sessions: OpenSessions
  readonly heartbeatMs: number
  readonly streamedAnswers: boolean
  /** Called once for every session that opened. */
  readonly onOpen: (visit: Visit) => void
}

/** The sessions of streamable HTTP, revisions 2024-11-05 to 2025-11-25. */
export class HttpSessions {
  readonly #parts: HttpSessionsParts
  readonly #byId = new Map<string, HttpSession>()

  constructor(parts: HttpSessionsParts) {
    this.#parts = parts
  }

  /** Opens a session with its `initialize` request. Throws a Problem when there is no room. */
  async open(exchange: Exchange, visit: Visit, message: unknown): Promise<void> {
    const { build, sessions, heartbeatMs, streamedAnswers, onOpen } = this.#parts
    sessions.makeRoom(visit)
    const session = new HttpSession({
      id: randomUUID(),
      keyId: visit.keyId,
      projectId: visit.caller.project_id,
      server: build(),
      heartbeatMs,
      streamedAnswers,
      onEnd: ended => {
        this.#byId.delete(ended.id)
        sessions.remove(ended)
      },
    })
    this.#byId.set(session.id, session)
    sessions.add(session)
    await session.connect()
    await session.handle(exchange, visit, message)
    if (session.opened) onOpen(visit)
    else session.end()
  }

  /** Serves a request on a session. One opened with another key is answered as if it were not there. */
  async serve(id: string, exchange: Exchange, visit: Visit, message: unknown): Promise<void> {
    const session = this.#byId.get(id)
    if (session?.keyId !== visit.keyId) {
      exchange.end(SESSION_NOT_FOUND)
      return
    }
    this.#parts.sessions.touch(session)
    exchange.res.once('close', () => this.#parts.sessions.touch(session))
    await session.handle(exchange, visit, message)
  }
}
