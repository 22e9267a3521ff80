import { once } from 'node:events'
import type { Writable } from 'node:stream'
import type { Reject } from './piece.js'

/** Most rejects a report holds; all of them go to the sink. */
const FIRST_ERRORS = 100

/** What became of an import: `received` = `stored` + `duplicates` + `rejected`. */
export interface ImportReport {
  /** Files and streams read. */
  readonly files: number
  /** Records met, rejected parts of inputs included. */
  readonly received: number
  /** Calls of this import that the store now holds. */
  readonly stored: number
  /** Of these, the ones that took the place of a call stored before. */
  readonly replaced: number
  /** Records whose id came again later in this import; the last one was kept. */
  readonly duplicates: number
  readonly rejected: number
  /** Control, bidirectional-override and tag characters taken out of free text. */
  readonly characters_removed: number
  /** Files of a folder that are of no known format, and the names of the first of them. */
  readonly skipped_files: number
  readonly skipped: readonly string[]
  /** The first 100 rejects. */
  readonly errors: readonly Reject[]
}

/** Counts an import as it goes, and passes every reject on. */
export class ReportKeeper {
  files = 0
  received = 0
  stored = 0
  replaced = 0
  duplicates = 0
  rejected = 0
  charactersRemoved = 0
  #skippedFiles = 0
  readonly #skipped: string[] = []
  readonly #errors: Reject[] = []
  readonly #sink: Writable | undefined

  /** @param sink takes every reject as a line of JSON */
  constructor(sink: Writable | undefined) {
    this.#sink = sink
  }

  skip(file: string): void {
    this.#skippedFiles += 1
    if (this.#skipped.length < FIRST_ERRORS) this.#skipped.push(file)
  }

  /** Counts a reject; resolves when its sink can take another. */
  async reject(reject: Reject): Promise<void> {
    this.received += 1
    this.rejected += 1
    if (this.#errors.length < FIRST_ERRORS) this.#errors.push(reject)
    if (this.#sink !== undefined && !this.#sink.write(`${JSON.stringify(reject)}\n`)) await once(this.#sink, 'drain')
  }

  report(): ImportReport {
    return {
      files: this.files,
      received: this.received,
      stored: this.stored,
      replaced: this.replaced,
      duplicates: this.duplicates,
      rejected: this.rejected,
      characters_removed: this.charactersRemoved,
      skipped_files: this.#skippedFiles,
      skipped: this.#skipped,
      errors: this.#errors,
    }
  }
}
