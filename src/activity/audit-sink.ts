import type { NewActivityEvent } from './activity-event.js'
import type { ChainKey } from './chain-key.js'

/**
 * Where the lines of the audit trail are kept, each sealed together with the one before it: files of a data directory, or a store of
 * several processes. Not for concurrent use: the trail does one thing at a time, but for removing what is too old.
 */
export interface AuditSink {
  /** What lines are sealed with, and what signs in the installation's name. */
  readonly key: ChainKey
  /** Number of the last line that is durable. */
  readonly lastSequence: number
  /** Adds lines; durable when it resolves. After a rejection: `abandon`. */
  write(events: readonly NewActivityEvent[]): Promise<void>
  /** Gives up what a failed write may have left half done. */
  abandon(): Promise<void>
  /** Makes it so that lines can be written again; rejects as long as the cause of the failure lasts. */
  renew(): Promise<void>
  /** What is to be done now and then between two writes. */
  upkeep(): Promise<void>
  /**
   * Removes what is older than an instant, milliseconds since 1970; gives back the names of what is gone.
   * @param inTurn does a part of it between two writes
   */
  removeBefore(instant: number, inTurn: (part: () => Promise<void>) => Promise<void>): Promise<readonly string[]>
  close(): Promise<void>
}
