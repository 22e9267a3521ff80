/** That one process alone does something named, for as long as it renews. */
export interface Lease {
  readonly name: string
  /** Higher than that of everybody who had it before. */
  readonly fence: number
  /** Aborted once it is lost, or can't be known to be held. */
  readonly lost: AbortSignal
  /** @throws Problem `store_unavailable` where it is lost or can't be known to be held: asked before each write that is made under it */
  readonly mayWrite: () => void
  /** Gives it back, so that another may take it at once. */
  release(): Promise<void>
}

/** A lease by which nothing is fenced: no trace of it stays. */
export type Claim = Pick<Lease, 'release' | 'lost'>

/** What one process of a store does alone: a lease that is not renewed ends, so that one that died keeps nobody from it for long. */
export interface Leases {
  /** undefined where another (in this process or elsewhere) has it. */
  take(name: string): Promise<Lease | undefined>
  /** For names of which there are as many as calls: where others have it undefined as well, but each who had it is forgotten. */
  claim(name: string): Promise<Claim | undefined>
  /** Names of those under a prefix that somebody has now. */
  held(prefix: string): Promise<ReadonlySet<string>>
}
