import { createHash, randomBytes } from 'node:crypto'
import type { Requester } from '../admission/requester.js'
import type { Share, Shares } from '../admission/shares.js'
import type { Admin } from './admin.js'

/** How long a session lasts that nobody uses, and one that is used all the time. */
const IDLE_MS = 12 * 60 * 60 * 1000
export const CONSOLE_SESSION_MS = 7 * 24 * 60 * 60 * 1000

/** How long the link that opens a session is good for. */
const LINK_MS = 60 * 60 * 1000

/**
 * Whom a session stands for: a key, by its key_id; or an administrator and the one project the session is about, by their token,
 * since that can be verified anew, or as the identity provider said who it is, for as long as that is good.
 */
export type SessionHolder = string | AdminHolder | { readonly adminToken: string; readonly projectId: string }

export interface AdminHolder {
  readonly admin: Admin
  readonly projectId: string
}

interface Session {
  readonly holder: SessionHolder
  readonly requester: Requester
  readonly share: Share
  readonly endsAt: number
  usedAt: number
}

interface Link {
  readonly keyId: string
  readonly until: number
}

/**
 * The sessions of people who signed in to the console with an application key or an admin token: whom a session's token stands
 * for, and nothing of what they may hear, which the gate looks up anew at every request. In memory only, and sessions' tokens
 * by their hash.
 */
export class ConsoleSessions {
  readonly #shares: Pick<Shares, 'take' | 'inTheWay'>
  readonly #clock: () => number
  /** By SHA-256 of the token, the longest unused first. */
  readonly #sessions = new Map<string, Session>()
  readonly #links = new Map<string, Link>()

  /** @param clock milliseconds since 1970 */
  constructor(shares: Pick<Shares, 'take' | 'inTheWay'>, clock: () => number = Date.now) {
    this.#shares = shares
    this.#clock = clock
  }

  /** How many there are. */
  get size(): number {
    return this.#sessions.size
  }

  /**
   * Opens a session. A key or administrator that has as many as it may loses the one that was unused for longest: somebody
   * who lost a cookie gets in again.
   * @param mostMs how long it lasts, used or not
   * @returns its token, 256 random bits
   * @throws Problem `too_many_requests` or `busy` when project or server have as many as they may
   */
  open(holder: SessionHolder, requester: Requester, mostMs = CONSOLE_SESSION_MS): string {
    this.#dropEnded()
    if (this.#shares.inTheWay(requester) === 'key') this.#dropOldestOf(requester)
    const now = this.#clock()
    const share = this.#shares.take(requester)
    const token = newToken()
    this.#sessions.set(hashOf(token), {
      holder,
      requester,
      share,
      endsAt: now + Math.min(mostMs, CONSOLE_SESSION_MS),
      usedAt: now,
    })
    return token
  }

  /**
   * Whom a session stands for, as long as it lasts.
   * @param isUse asking is using it, unless something that was opened with it only goes on
   */
  holderOf(token: string, isUse = true): SessionHolder | undefined {
    const hash = hashOf(token)
    const session = this.#sessions.get(hash)
    if (session === undefined) return undefined
    const now = this.#clock()
    if (hasEnded(session, now)) {
      this.#drop(hash)
      return undefined
    }
    if (isUse) {
      session.usedAt = now
      this.#sessions.delete(hash)
      this.#sessions.set(hash, session)
    }
    return session.holder
  }

  /** Ends a session; one that is not there is ended already. */
  end(token: string): void {
    this.#drop(hashOf(token))
  }

  /** Ends all sessions of a key. */
  endAllOf(keyId: string): void {
    for (const [hash, session] of this.#sessions) if (session.holder === keyId) this.#drop(hash)
  }

  /** Ends all sessions of an administrator whom an identity provider knows by this name. */
  endAllOfAdmin(subject: string, issuer: string): void {
    for (const [hash, { holder }] of this.#sessions) {
      if (typeof holder === 'string' || !('admin' in holder)) continue
      if (holder.admin.subject === subject && holder.admin.issuer === issuer) this.#drop(hash)
    }
  }

  /** Makes what opens a session of a key once, within an hour, in place of the key itself. */
  link(keyId: string): string {
    const now = this.#clock()
    for (const [hash, { until }] of this.#links) if (until <= now) this.#links.delete(hash)
    const code = newToken()
    this.#links.set(hashOf(code), { keyId, until: now + LINK_MS })
    return code
  }

  /** Takes a link up: the key it was made for, the first time. */
  follow(code: string): string | undefined {
    const hash = hashOf(code)
    const link = this.#links.get(hash)
    this.#links.delete(hash)
    return link === undefined || link.until <= this.#clock() ? undefined : link.keyId
  }

  #dropEnded(): void {
    const now = this.#clock()
    for (const [hash, session] of this.#sessions) if (hasEnded(session, now)) this.#drop(hash)
  }

  #dropOldestOf({ project, key }: Requester): void {
    for (const [hash, { requester }] of this.#sessions) {
      if (requester.project !== project || requester.key !== key) continue
      this.#drop(hash)
      return
    }
  }

  #drop(hash: string): void {
    this.#sessions.get(hash)?.share.release()
    this.#sessions.delete(hash)
  }
}

function hasEnded({ endsAt, usedAt }: Session, now: number): boolean {
  return now - usedAt >= IDLE_MS || now >= endsAt
}

function newToken(): string {
  return randomBytes(32).toString('base64url')
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}
