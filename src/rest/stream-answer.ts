import type { Readable } from 'node:stream'

/**
 * An answer of NDJSON that is sent as its reader takes it. A failure after the first line breaks the connection off, so
 * that half an answer never looks like a whole one.
 */
export class StreamAnswer {
  /** How many lines there will be, as far as is known: a header says so, for whoever shows progress. */
  readonly total: number
  /** Pieces of whole lines. Whoever gets the answer reads it to its end or destroys it. */
  readonly lines: Readable

  constructor(total: number, lines: Readable) {
    this.total = total
    this.lines = lines
  }
}

/** The header that says how many lines there will be. */
export const TOTAL_HEADER = 'x-total-count'
