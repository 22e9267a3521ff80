/** A part of an input, cut by the main thread and read by a worker: whole lines, one JSON value, or a whole file. */
export interface Piece {
  /** The input as the report names it. */
  readonly file: string
  /** Line of the input at which the piece begins, from 1. */
  readonly line: number
  /**
   * `lines` holds any number of records, one a line; `value` holds one record or document, `values` several elements of an
   * array, each where `places` says.
   */
  readonly kind: 'lines' | 'value' | 'values'
  /** Of each value: where it begins and ends in `bytes`, its line, and its position in the array. */
  readonly places?: readonly ValuePlace[]
  /** Records it may hold; 1 when absent. */
  readonly records?: number
  /** Where the value stands in its document, such as `[3]`; empty at the top. */
  readonly at: string
  /** Owns its memory, of which a worker gets a copy, or lies in what threads share. */
  readonly bytes: Uint8Array
  /** The second file of a layout that keeps one call in two. */
  readonly companion?: Uint8Array
  /** The input ended without ending this line: a fault in it means that the input was cut off. */
  readonly unended: boolean
}

/** Where a value of several stands. */
export interface ValuePlace {
  readonly start: number
  readonly end: number
  readonly line: number
  readonly index: number
}

/** What is wrong with one place of a record. */
export interface Fault {
  /** The place, such as `transcript[3].start_s`; empty for the record as a whole. */
  readonly path: string
  /** The end of a sentence that begins with the place: `must be at most 5`. It quotes no values. */
  readonly message: string
}

/** A record, or a part of an input, that was not imported. */
export interface Reject extends Fault {
  readonly file: string
  readonly line: number
  /** What else is wrong with the same record. */
  readonly also?: readonly Fault[]
}

/** A fault as people read it: its place, if it is of one, and what is wrong there. */
export function faultText({ path, message }: Fault): string {
  return path === '' ? message : `${path} ${message}`
}

/** All that is wrong with a record. */
export function faultsIn({ path, message, also = [] }: Reject): readonly Fault[] {
  return [{ path, message }, ...also]
}

/** The JSON a value was parsed from: what is not in the text needs not be looked for in the value. */
export interface SourceText {
  readonly text: string
  /** It holds nothing but ASCII. */
  readonly ascii: boolean
}

/** What a format made of a piece: a record still to be checked, or why there is none. */
export type RawRecord =
  | {
      readonly line: number
      readonly at: string
      readonly value: unknown
      /** What mappings read from, where that is not the value itself. */
      readonly document?: unknown
      readonly source?: SourceText
      /** It is the one call of its input, which may name it where nothing in it does. */
      readonly alone?: boolean
    }
  | { readonly line: number; readonly at: string; readonly fault: Fault }

/** The JSON of one record, still to be parsed: where it stands in its piece, and what a report says of its place. */
export interface RawText {
  readonly line: number
  readonly at: string
  readonly start: number
  readonly end: number
  /** It may have been cut off. */
  readonly unended: boolean
}
