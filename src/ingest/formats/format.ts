import type { InputFile } from '../input-file.js'
import type { Piece, RawRecord, Reject } from '../piece.js'

/** How a kind of file is recognised, cut into pieces (main thread) and read into records (worker). */
export interface Format {
  /** What `--format` calls it. */
  readonly name: string
  /** One line for people: what such files hold. */
  readonly title: string
  /** Whether a file is of this format, by the beginning of its content and, where that says nothing, its place. */
  recognises(file: InputFile): boolean
  /** Cuts a file into pieces without parsing it; what can't be cut comes out as a reject. */
  cut(file: InputFile, limits: CutLimits): AsyncIterable<Piece | Reject>
  /** The records of a piece, not yet checked. Runs in a worker. */
  read(piece: Piece): Iterable<RawRecord>
}

export interface CutLimits {
  /** Most bytes of one record; longer ones are rejected without being held in memory. */
  readonly recordBytes: number
  /** Bytes after which a piece of many records is full. */
  readonly pieceBytes: number
}
