/** Something said, as a transcript tells it. */
export interface Speech {
  /** The transcript's label of who speaks; undefined where it gives none. */
  readonly speaker: string | undefined
  readonly text: string
  /** Seconds from the start of the call. */
  readonly start: number | undefined
  readonly end: number | undefined
}
