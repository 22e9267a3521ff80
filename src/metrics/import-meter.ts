/** What became of the calls of an import. */
export interface ImportCounts {
  readonly stored: number
  readonly duplicates: number
  readonly rejected: number
}

/** Where imports say what they took in. */
export interface ImportMeter {
  imported(counts: ImportCounts): void
}
