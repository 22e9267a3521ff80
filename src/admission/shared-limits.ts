import type { DayBudget, DaySpent } from './day-budgets.js'
import type { LimiterOf } from './limiters.js'

/** What is spent of a day, of all processes together. */
export interface SpentStore {
  /**
   * Counts one question more, unless any of what a key may have is spent.
   * @returns what it has had then, and whether it may
   */
  take(keyId: string, day: string, budget: DayBudget): Promise<{ readonly spent: DaySpent; readonly may: boolean }>
  /** Adds to it. */
  add(keyId: string, spent: DaySpent): Promise<void>
}

/** Something that one has alone, among all processes, for as long as it is not given back and its process lives. */
export interface Held {
  release(): Promise<void>
}

/** What is scarce for all processes of a store together, and not only for each. */
export interface SharedLimits {
  readonly limiterOf: LimiterOf
  readonly spent: SpentStore
  readonly leases: {
    /** undefined where another has it */
    take(name: string): Promise<Held | undefined>
    /** Names of those under a prefix that somebody has. */
    held(prefix: string): Promise<ReadonlySet<string>>
  }
}
