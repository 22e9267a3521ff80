import type { Share, Shares } from '../admission/shares.js'

/** session: of streamable HTTP; sse: a stream of GET /sse; listen: one of subscriptions/listen. */
export type SessionKind = 'session' | 'sse' | 'listen'

/** A session or stream that takes a place among the open ones. */
export interface OpenSession {
  readonly kind: SessionKind
  readonly id: string
  readonly keyId: string
  readonly projectId: string
  /** Whether no call and no stream of it is open: only then may it make room or expire. */
  readonly idle: boolean
  /** Tells the client that its list of tools may have changed. */
  toolsChanged(): void
  end(): void
}

interface Kept {
  /** Milliseconds since 1970. */
  readonly usedAt: number
  readonly share: Share
}

/**
 * The open sessions and streams of both transports, the least recently used first. Most clients never say goodbye, so a
 * new session takes the place of the longest idle one of its own project; one with a call or stream open is never
 * touched, nor is one of another project.
 */
export class OpenSessions {
  readonly #idleMs: number
  readonly #places: Shares
  /** In the order of use. */
  readonly #used = new Map<OpenSession, Kept>()
  readonly #byId = new Map<string, OpenSession>()

  /** @param places how many there may be, and whose */
  constructor({ sessionIdleMs }: { readonly sessionIdleMs: number }, places: Shares) {
    this.#idleMs = sessionIdleMs
    this.#places = places
  }

  get size(): number {
    return this.#used.size
  }

  byKind(): Readonly<Record<SessionKind, number>> {
    const counts = { session: 0, sse: 0, listen: 0 }
    for (const { kind } of this.#used.keys()) counts[kind] += 1
    return counts
  }

  /**
   * Makes room for one more session of a key. Throws a Problem when every place it could have is taken by a busy one, or
   * by other projects.
   */
  makeRoom({ projectId, keyId }: Pick<OpenSession, 'projectId' | 'keyId'>): void {
    const requester = { project: projectId, key: keyId }
    for (let bound = this.#places.inTheWay(requester); bound !== undefined; bound = this.#places.inTheWay(requester)) {
      const own = [...this.#used.keys()].filter(session =>
        bound === 'key' ? session.keyId === keyId : session.projectId === projectId,
      )
      if (!this.#endOneIdle(own)) throw this.#places.refusal(bound)
    }
  }

  /** Adds a session for which there is room. */
  add(session: OpenSession): void {
    const share = this.#places.take({ project: session.projectId, key: session.keyId })
    this.#used.set(session, { usedAt: Date.now(), share })
    this.#byId.set(session.id, session)
  }

  /** A session by its id, of a kind. One that another key opened is as if it were not there. */
  find<S extends OpenSession>(
    kind: abstract new (...parts: never[]) => S,
    id: string,
    { keyId }: Pick<OpenSession, 'keyId'>,
  ): S | undefined {
    const session = this.#byId.get(id)
    return session instanceof kind && session.keyId === keyId ? session : undefined
  }

  /** Notes a use: the session is now the last to make room. */
  touch(session: OpenSession): void {
    const kept = this.#used.get(session)
    if (kept === undefined) return
    this.#used.delete(session)
    this.#used.set(session, { ...kept, usedAt: Date.now() })
  }

  remove(session: OpenSession): void {
    this.#used.get(session)?.share.release()
    this.#used.delete(session)
    this.#byId.delete(session.id)
  }

  toolsChangedFor(keyId: string): void {
    for (const session of this.#of(keyId)) session.toolsChanged()
  }

  /** Ends the sessions that nobody has used for the idle time. */
  expire(now = Date.now()): void {
    for (const [session, { usedAt }] of this.#used) {
      if (now - usedAt >= this.#idleMs && session.idle) this.#end(session)
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
    this.remove(session)
    session.end()
  }
}
