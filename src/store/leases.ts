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

/** What one process of a store does alone: a lease that is not renewed ends, so that one that died keeps nobody from it for long. */
export interface Leases {
  /** undefined where another (in this process or elsewhere) has it. */
  take(name: string): Promise<Lease | undefined>
  /** Names of those under a prefix that somebody has now. */
  held(prefix: string): Promise<ReadonlySet<string>>
}
