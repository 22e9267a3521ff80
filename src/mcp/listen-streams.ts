import { isJSONRPCRequest } from '@modelcontextprotocol/server'
import type { Exchange } from './exchange.js'
import type { OpenSessions } from './open-sessions.js'
import type { Visit } from './visit.js'

/**
 * The streams of `subscriptions/listen` (revision 2026-07-28 has no sessions, but these stay open like one): they take
 * places among the open sessions, so that the caps hold for every transport.
 */
export class ListenStreams {
  readonly #sessions: OpenSessions

  constructor(sessions: OpenSessions) {
    this.#sessions = sessions
  }

  /** Takes a place when the message opens a stream. Throws a Problem when there is no room. */
  admit(exchange: Exchange, visit: Visit, message: unknown): void {
    if (!isJSONRPCRequest(message) || message.method !== 'subscriptions/listen') return
    this.#sessions.makeRoom(visit)
    const stream = {
      kind: 'listen' as const,
      keyId: visit.keyId,
      projectId: visit.caller.project_id,
      idle: false,
      // Announced through the handler of its key.
      toolsChanged: () => undefined,
      end: () => exchange.abandon(),
    }
    this.#sessions.add(stream)
    exchange.res.once('close', () => this.#sessions.remove(stream))
  }
}
