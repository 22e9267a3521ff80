import type { InputFile } from '../input-file.js'
import type { PieceMemory } from '../piece-memory.js'
import type { Piece, RawRecord, RawText, Reject } from '../piece.js'
import type { Reading } from '../reading.js'
import type { Marks } from './shape/marks.js'

/** What people are told of a format, in Markdown: docs/formats.md is made of it. */
export interface FormatPage {
  /** By what files are known. */
  readonly recognised: string
  /** Where the source documents the shape. */
  readonly documented: readonly string[]
  /** How the agent is told from the customer, in a few words: `participantPurpose`. */
  readonly agent: string
  /** What is taken, and to which field. */
  readonly taken: string
  /** What is left out. */
  readonly lost: string
}

/** How a kind of file is recognised, cut into pieces (main thread) and read into records (worker). */
export interface Format {
  /** What `--format` calls it. */
  readonly name: string
  /** One line for people: what such files hold. */
  readonly title: string
  readonly page: FormatPage
  /** Of JSON: the fields by which a document is known. */
  readonly marks?: Marks
  /**
   * What to do about required fields that such files do not hold, by field: said where one of them is missing, as the end
   * of a sentence that begins "agent_name is missing: ".
   */
  readonly missing?: Readonly<Partial<Record<'session_id' | 'agent_name' | 'created_dt', string>>>
  /** Mappings of `turn.…` name its columns. */
  readonly turnColumns?: boolean
  /** Whether a file is of this format, by the beginning of its content and, where that says nothing, its place. */
  recognises(file: InputFile): boolean
  /** The other file that a file at this place needs beside it, for formats that keep a call in two. */
  companion?(path: string): string | undefined
  /** Cuts a file into pieces without parsing it; what can't be cut comes out as a reject. */
  cut(file: InputFile, limits: CutLimits, reading: Reading): AsyncIterable<Piece | Reject>
  /** The records of a piece, not yet mapped or checked. Runs in a worker; a promise where it loads what reads them. */
  read(piece: Piece, reading: Reading): Iterable<RawRecord> | Promise<Iterable<RawRecord>>
  /** Where the form of a piece is that of call records: the JSON of each, which may be stored as it is (`as-is/`). */
  texts?(piece: Piece): Iterable<RawText>
}

export interface CutLimits {
  /** Most bytes of one record; longer ones are rejected without being held in memory. */
  readonly recordBytes: number
  /** Bytes, or records, after which a piece of many records is full. */
  readonly pieceBytes: number
  readonly pieceRecords: number
  /** Hears how many bytes of a record that is not whole are held; throws when there may not be so many. */
  readonly onHeld?: ((bytes: number) => void) | undefined
  /** What pieces of lines may lie in; each in memory of its own without it. */
  readonly memory?: PieceMemory | undefined
}
