import type { AuditChainStore } from './audit-chains.js'

/** What only a store of several processes has, who find each other by it. */
export interface SharedExtras {
  readonly fingerprints: FingerprintStore
  readonly auditChains: AuditChainStore
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
