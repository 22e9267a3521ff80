import type { LimiterOf } from '../admission/limiters.js'
import type { SpentStore } from '../admission/shared-limits.js'
import type { AuditChainStore } from './audit-chains.js'

/** What only a store of several processes has, who find each other by it. */
export interface SharedExtras {
  readonly fingerprints: FingerprintStore
  readonly auditChains: AuditChainStore
  readonly endedSessions: EndedSessionStore
  /** Counts requests of all processes together. */
  readonly limiterOf: LimiterOf
  readonly spent: SpentStore
}

/** Sessions that were ended before their time. */
export interface EndedSessionStore {
  /** @param until when it is forgotten: it would be over by then anyway */
  add(id: string, until: Date): Promise<void>
  has(id: string): Promise<boolean>
}

/** What tells whether a secret is the one that a store was begun with, and not the secret. */
export interface Fingerprint {
  readonly salt: string
  readonly hash: string
  /** Since when it is this one, ISO 8601. */
  readonly since: string
}

export interface FingerprintStore {
  all(): Promise<ReadonlyMap<string, Fingerprint>>
  /**
   * Keeps one in the place of another, or where there is none. `false` where by now another is kept than the one to replace: nothing
   * is written then.
   */
  put(name: string, fingerprint: Fingerprint, inPlaceOf: Fingerprint | undefined): Promise<boolean>
}
