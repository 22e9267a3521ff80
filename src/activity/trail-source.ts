import type { ActivityRecord } from '../store/activity-record.js'

/** The trail as it is read by what takes all of it elsewhere. */
export interface TrailSource {
  /** The next events, in the order in which they were written by a process. */
  next(limit: number): Promise<{ readonly events: readonly ActivityRecord[]; readonly atEnd: boolean }>
  /** Remembers that the events up to one that was given are there for sure, by its number. */
  keep(seq: number): Promise<void>
  /** Goes on behind what was remembered last, whatever was given since. */
  restart(): void
  /** Lets another process go on. */
  close(): Promise<void>
}
