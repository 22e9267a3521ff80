import type { TrailLog } from './trail-log.js'

/** How the audit trail is kept, wherever it is. */
export interface KeepingOptions {
  /** Keys the hashes of session ids. Kept with the data: under another secret older hashes match no more. */
  readonly sessionSecret: string
  /** Lines are removed when they are older, in milliseconds; default 400 days. */
  readonly retentionMs?: number
  /** Events that may wait to be written; one more is refused as busy. Default 20,000. */
  readonly maxWaiting?: number
  /** Milliseconds between two tries to write again after a failure; default 1,000. */
  readonly retryMs?: number
  /** Milliseconds that a write may take before the trail counts as stalled; default 5,000. */
  readonly stallMs?: number
  /** Milliseconds between two rounds of upkeep (rotation by age, retention); default a minute. */
  readonly upkeepMs?: number
  /** The time, milliseconds since 1970. */
  readonly clock?: () => number
  readonly log?: TrailLog
}

/** What the audit trail of a data directory is opened with. */
export interface AuditTrailOptions extends KeepingOptions {
  /** The data directory; the trail lives in `activity/` below it. */
  readonly dataDir: string
  /** Seals every line and signs the heads of segments. Kept outside the trail's own directory. */
  readonly chainSecret: string
  /** A file, best on another machine, to which the head of every segment is added when it takes no more lines. */
  readonly anchorFile?: string
  /**
   * Highest number that was ever replayed into the table. Numbers go on behind it even where the trail's files are
   * gone: one given twice would be taken for an event that is there already.
   */
  readonly replayed?: number
  /** A segment is closed when it has so many bytes; default 16 MiB. */
  readonly segmentBytes?: number
  /** A segment is closed after so many milliseconds; default a day. */
  readonly segmentAgeMs?: number
}
