import { Problem } from '../base/problem.js'

/** session: of streamable HTTP; sse: a stream of GET /sse; listen: one of subscriptions/listen. */
export type SessionKind = 'session' | 'sse' | 'listen'

/** A session or stream that takes a place among the open ones. */
export interface OpenSession {
  readonly kind: SessionKind
  readonly keyId: string
  /** Whether no call and no stream of it is open: only then may it make room or expire. */
  readonly idle: boolean
  /** Tells the client that its list of tools may have changed. */
  toolsChanged(): void
  end(): void
}

export interface SessionLimits {
  readonly maxSessions: number
  readonly maxSessionsPerKey: number
  readonly sessionIdleMs: number
}

/**
 * The open sessions and streams of both transports, the least recently used first. Most clients never say goodbye, so a
 * new session takes the place of the longest idle one; one with a call or stream open is never touched.
 */
export class OpenSessions {
  readonly #limits: SessionLimits
  /** Instants of last use, milliseconds since 1970, in the order of use. */
  readonly #used = new Map<OpenSession, number>()

  constructor(limits: SessionLimits) {
    this.#limits = limits
  }

  get size(): number {
    return this.#used.size
  }

  byKind(): Readonly<Record<SessionKind, number>> {
    const counts = { session: 0, sse: 0, listen: 0 }
    for (const { kind } of this.#used.keys()) counts[kind] += 1
    return counts
  }

  /** Makes room for one more session of a key. Throws a Problem when every place is taken by a busy one. */
  makeRoom(keyId: string): void {
    const { maxSessions, maxSessionsPerKey } = this.#limits
    const ofKey = this.#of(keyId)
    if (ofKey.length >= maxSessionsPerKey && !this.#endOneIdle(ofKey)) {
      throw new Problem('too_many_requests', `Too many open sessions: the limit is ${maxSessionsPerKey} per key`, {
        retryAfter: 30,
      })
    }
    if (this.#used.size >= maxSessions && !this.#endOneIdle(this.#used.keys())) {
      throw new Problem('busy', `Too many open sessions on this server: the limit is ${maxSessions}`, {
        retryAfter: 30,
      })
    }
  }

  add(session: OpenSession): void {
    this.#used.set(session, Date.now())
  }

  /** Notes a use: the session is now the last to make room. */
  touch(session: OpenSession): void {
    if (this.#used.delete(session)) this.#used.set(session, Date.now())
  }

  remove(session: OpenSession): void {
    this.#used.delete(session)
  }

  toolsChangedFor(keyId: string): void {
    for (const session of this.#of(keyId)) session.toolsChanged()
  }

  /** Ends the sessions that nobody has used for the idle time. */
  expire(now = Date.now()): void {
    for (const [session, usedAt] of this.#used) {
      if (now - usedAt >= this.#limits.sessionIdleMs && session.idle) this.#end(session)
    }
  }

  endOf(keyId: string): void {
    for (const session of this.#of(keyId)) this.#end(session)
  }

  endAll(): void {
    for (const session of this.#used.keys()) this.#end(session)
  }

  #of(keyId: string): OpenSession[] {
    return [...this.#used.keys()].filter(session => session.keyId === keyId)
  }

  #endOneIdle(sessions: Iterable<OpenSession>): boolean {
    for (const session of sessions) {
      if (!session.idle) continue
      this.#end(session)
      return true
    }
    return false
  }

  #end(session: OpenSession): void {
    this.#used.delete(session)
    session.end()
  }
}
