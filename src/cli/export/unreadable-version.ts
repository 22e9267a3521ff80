/** A version of the rubric that can't be read any more, and why. */
export interface UnreadableVersion {
  readonly version: string
  readonly reason: string
}
