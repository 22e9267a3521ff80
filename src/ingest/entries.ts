import type { Reject } from './piece.js'
import type { MaskCounts, Masking } from '../redact/mask.js'

/** What belongs to a project beside its calls, a line of its export. */
export interface EntryLine {
  readonly file: string
  readonly line: number
  readonly text: string
}

/** What came of taking some entries. */
export interface EntriesOutcome {
  /** Those that were not taken, with the reason. */
  readonly rejects: readonly Reject[]
  /** Places masked in what was said about calls, by kind. */
  readonly masked: MaskCounts
}

/**
 * Takes entries in their order, when all calls ahead of them are durable. A rejection ends the import.
 * @param redact which personal data the import masks
 */
export type TakeEntries = (entries: readonly EntryLine[], redact: Masking) => Promise<EntriesOutcome>
