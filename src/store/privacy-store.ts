import type { ApprovalRecord } from './records/approval.js'
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
  /**
   * Durable when it resolves; nothing that it names is erased from then on. `false` where the project has as many already as it may have,
   * however many are placed at once.
   */
  placeHold(hold: HoldRecord, most?: number): Promise<boolean>
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
  /** What waits for a second administrator, and what waits for who asked since; oldest first. */
  approvals(projectId: string): Promise<readonly ApprovalRecord[]>
  putApproval(record: ApprovalRecord): Promise<void>
  /** Writes who confirmed it; `false` where it is gone, or was confirmed before. */
  confirmApproval(record: ApprovalRecord): Promise<boolean>
  /** Takes it away; `false` where it is gone. */
  takeApproval(projectId: string, approvalId: string): Promise<boolean>
  /** Newest first, so many at most. */
  erasures(projectId: string, limit: number): Promise<readonly ErasureRecord[]>
}
