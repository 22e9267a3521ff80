/** A cue of a subtitle file: what is shown from one time to another. */
export interface Cue {
  /** Line of its times in the file, from 1. */
  readonly line: number
  /** Seconds. */
  readonly start: number
  readonly end: number
  /** Its lines, as they stand in the file. */
  readonly lines: readonly string[]
}

/** Why a subtitle file can't be read, and where. */
export class CueFault extends Error {
  override readonly name = 'CueFault'
  readonly line: number

  constructor(line: number, message: string) {
    super(message)
    this.line = line
  }
}
