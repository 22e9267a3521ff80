import type { Reject } from './piece.js'

/** What belongs to a project beside its calls, a line of its export. */
export interface EntryLine {
  readonly file: string
  readonly line: number
  readonly text: string
}

/**
 * Takes entries in their order, when all calls ahead of them are durable. @returns those it did not take, with the reason.
 * A rejection ends the import.
 */
export type TakeEntries = (entries: readonly EntryLine[]) => Promise<readonly Reject[]>
