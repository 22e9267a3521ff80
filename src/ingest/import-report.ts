import { once } from 'node:events'
import type { Writable } from 'node:stream'
import type { Reject } from './piece.js'
import { type MaskCounts, addMasks, noMasks } from '../redact/mask.js'

/** Reasons that are kept apart. */
const MOST_REASONS = 20

/** Why calls have no evaluation, and how many. */
class ReasonCounts {
  readonly #calls = new Map<string, number>()

  add(reason: string, calls = 1): void {
    const key = this.#calls.has(reason) || this.#calls.size < MOST_REASONS ? reason : 'Other reasons'
    this.#calls.set(key, (this.#calls.get(key) ?? 0) + calls)
  }

  get total(): number {
    return [...this.#calls.values()].reduce((sum, calls) => sum + calls, 0)
  }

  /** Commonest first. */
  list(): { reason: string; calls: number }[] {
    return [...this.#calls].map(([reason, calls]) => ({ reason, calls })).toSorted((a, b) => b.calls - a.calls)
  }
}

/** Most rejects a report holds; all of them go to the sink. */
export const FIRST_ERRORS = 100

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
  /** Places masked, by kind; absent when the import masks nothing. */
  readonly redacted?: MaskCounts
  /** What became of records that brought no evaluation; absent when the import evaluates nothing. */
  readonly evaluation?: ImportEvaluation
  /** Stored calls that are dated after now; absent when there are none. */
  readonly future_calls?: number
  /** What is to be known of calls that were stored all the same; absent when there is nothing. */
  readonly warnings?: readonly { readonly warning: string; readonly calls: number }[]
  /** Files of a folder that are of no known format, and the names of the first of them. */
  readonly skipped_files: number
  readonly skipped: readonly string[]
  /** The first 100 rejects. */
  readonly errors: readonly Reject[]
  /** Nothing was written: `stored` and the others are what would have been. */
  readonly dry_run?: true
  /** Of a dry run, what would become of each file that was read. */
  readonly by_file?: readonly FileReport[]
}

/** What would become of a file. */
export interface FileReport {
  readonly file: string
  /** Absent where it is of none, or can't be read. */
  readonly format?: string
  readonly stored: number
  readonly replaced: number
  readonly duplicates: number
  readonly rejected: number
}

/** Of calls that were stored. */
export interface ImportEvaluation {
  readonly evaluated: number
  readonly not_evaluated: number
  /** Why, commonest first. */
  readonly reasons: readonly { readonly reason: string; readonly calls: number }[]
}

type FileCounts = { -readonly [K in keyof FileReport]: FileReport[K] }

/** Counts an import as it goes, and passes every reject on. */
export class ReportKeeper {
  files = 0
  received = 0
  stored = 0
  replaced = 0
  duplicates = 0
  rejected = 0
  futureCalls = 0
  charactersRemoved = 0
  readonly #redacted: MaskCounts | undefined
  readonly #evaluates: boolean
  #evaluated = 0
  readonly #reasons = new ReasonCounts()
  /** Of a dry run only: there may be any number of them. */
  readonly #files: Map<string, FileCounts> | undefined
  readonly #warnings = new Map<string, number>()
  #skippedFiles = 0
  readonly #skipped: string[] = []
  readonly #errors: Reject[] = []
  readonly #sink: Writable | undefined

  /**
   * @param sink takes every reject as a line of JSON
   * @param redacts whether the import masks personal data
   * @param evaluates whether it evaluates calls that bring no evaluation
   * @param dryRun whether it only looks, and tells of each file
   */
  constructor(
    sink: Writable | undefined,
    {
      redacts,
      evaluates,
      dryRun,
    }: { readonly redacts: boolean; readonly evaluates: boolean; readonly dryRun: boolean },
  ) {
    this.#sink = sink
    this.#evaluates = evaluates
    this.#files = dryRun ? new Map() : undefined
    this.#redacted = redacts ? noMasks() : undefined
  }

  /** The counts of a file, in a dry run. */
  #fileOf(file: string): FileCounts | undefined {
    const known = this.#files?.get(file)
    if (known !== undefined || this.#files === undefined) return known
    const counts = { file, stored: 0, replaced: 0, duplicates: 0, rejected: 0 }
    this.#files.set(file, counts)
    return counts
  }

  /** Notes which format a file is read as. */
  isOf(file: string, format: string): void {
    const counts = this.#fileOf(file)
    if (counts !== undefined) counts.format = format
  }

  /** Counts a stored call. @param replaces whether it takes the place of another, where that is known of each */
  store(file: string, replaces: boolean | undefined): void {
    this.stored += 1
    if (replaces === true) this.replaced += 1
    const counts = this.#fileOf(file)
    if (counts === undefined) return
    counts.stored += 1
    if (replaces === true) counts.replaced += 1
  }

  /** Counts a record whose id came again. */
  duplicate(file: string): void {
    this.duplicates += 1
    const counts = this.#fileOf(file)
    if (counts !== undefined) counts.duplicates += 1
  }

  /** Counts places that were masked. */
  redacted(counts: MaskCounts): void {
    if (this.#redacted !== undefined) addMasks(this.#redacted, counts)
  }

  /** Counts a stored call: true when it was evaluated, why not when it could not be, undefined when it was not to be. */
  evaluated(how: true | string | undefined): void {
    if (how === true) this.#evaluated += 1
    else if (how !== undefined) this.#reasons.add(how, 1)
  }

  /** Counts stored calls that something is to be known of. */
  warn(warning: string, calls: number): void {
    if (calls > 0) this.#warnings.set(warning, (this.#warnings.get(warning) ?? 0) + calls)
  }

  skip(file: string): void {
    this.#skippedFiles += 1
    if (this.#skipped.length < FIRST_ERRORS) this.#skipped.push(file)
  }

  /** Counts a reject; resolves when its sink can take another. */
  async reject(reject: Reject): Promise<void> {
    this.received += 1
    this.rejected += 1
    const counts = this.#fileOf(reject.file)
    if (counts !== undefined) counts.rejected += 1
    if (this.#errors.length < FIRST_ERRORS) this.#errors.push(reject)
    if (this.#sink !== undefined && !this.#sink.write(`${JSON.stringify(reject)}\n`)) await once(this.#sink, 'drain')
  }

  /** Counts rejects that nobody is told of. */
  rejectMore(file: string, count: number): void {
    if (count === 0) return
    this.received += count
    this.rejected += count
    const counts = this.#fileOf(file)
    if (counts !== undefined) counts.rejected += count
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
      ...(this.#redacted === undefined ? {} : { redacted: { ...this.#redacted } }),
      ...(this.#evaluates && {
        evaluation: {
          evaluated: this.#evaluated,
          not_evaluated: this.#reasons.total,
          reasons: this.#reasons.list(),
        },
      }),
      ...(this.futureCalls > 0 && { future_calls: this.futureCalls }),
      ...(this.#warnings.size > 0 && {
        warnings: [...this.#warnings].map(([warning, calls]) => ({ warning, calls })),
      }),
      skipped_files: this.#skippedFiles,
      skipped: this.#skipped,
      errors: this.#errors,
      ...(this.#files && { dry_run: true as const, by_file: [...this.#files.values()] }),
    }
  }
}
