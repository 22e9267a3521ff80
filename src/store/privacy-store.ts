import type { CustomerChoice, ErasureRecord, HoldRecord } from './records/hold.js'

/** A call of a customer, as far as it takes to know it again. */
export interface CustomerCall {
  readonly session_id: string
  readonly agent_name: string
  readonly created_dt: string
  /** Whether a hold keeps it. */
  readonly held: boolean
}

/** Legal holds, what was erased, and whose calls are whose. */
export interface PrivacyStore {
  /** Durable when it resolves; nothing that it names is erased from then on. */
  placeHold(hold: HoldRecord): Promise<void>
  /** The hold that is gone; undefined when there was none. */
  releaseHold(projectId: string, holdId: string): Promise<HoldRecord | undefined>
  /** Oldest first. */
  holds(projectId: string): Promise<readonly HoldRecord[]>
  /** How many calls a hold keeps now. */
  heldBy(projectId: string, holdId: string): Promise<number>
  /** Which of these calls are held. */
  heldAmong(projectId: string, sessionIds: readonly string[]): Promise<readonly string[]>
  /** All calls of a customer, oldest first. */
  callsOf(projectId: string, choice: CustomerChoice): Promise<readonly CustomerCall[]>
  /** Newest first, so many at most. */
  erasures(projectId: string, limit: number): Promise<readonly ErasureRecord[]>
}
