import { cutJson } from '../cut-json.js'
import { cutLines } from '../cut-lines.js'
import type { InputFile } from '../input-file.js'
import { parseJson } from '../parse-json.js'
import type { Piece, RawRecord, RawText, Reject } from '../piece.js'
import type { CutLimits } from './format.js'

/** As bytes: a number is looked for in memory that threads share one byte after the other. */
const NEWLINE = Buffer.from('\n')
const BLANK = /^\s*$/

/**
 * Whether a document has to be cut by its brackets. One record a line is cut by lines, so that a broken line costs
 * only itself; a document is an array, or an object whose first line goes on in the second.
 */
function isDocument(head: string): boolean {
  const text = head.trimStart()
  if (text.startsWith('[')) return true
  const first = /^([^\n]*)\n\s*([^\s])/.exec(text)
  return first !== null && !/[}\]]\s*$/.test(first[1] ?? '') && /["}]/.test(first[2] ?? '')
}

/** Cuts JSON into its documents: one a line (NDJSON), the elements of an array, or one however it is laid out. */
export function cutJsonRecords(file: InputFile, limits: CutLimits): AsyncGenerator<Piece | Reject> {
  return isDocument(file.head) ? cutJson(file, limits) : cutLines(file, limits)
}

/** Where the JSON of each document of a piece stands in it, and whether it may have been cut off. */
export function* jsonTexts({ kind, bytes: piece, line: first, at, unended, places = [] }: Piece): Generator<RawText> {
  const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.length)
  if (kind === 'value') {
    yield { line: first, at, start: 0, end: bytes.length, unended }
    return
  }
  if (kind === 'values') {
    for (const { start, end, line, index } of places) yield { line, at: `[${index}]`, start, end, unended: false }
    return
  }
  let line = first
  let start = 0
  while (start < bytes.length) {
    const newline = bytes.indexOf(NEWLINE, start)
    const end = newline === -1 ? bytes.length : newline
    // A blank line is no record. Most lines begin with a brace, and only the others are looked at whole.
    if (bytes[start] === 0x7b || !BLANK.test(Buffer.from(bytes.subarray(start, end)).toString('latin1'))) {
      yield { line, at, start, end, unended: unended && newline === -1 }
    }
    line += 1
    start = end + 1
  }
}

/**
 * Parses the documents of a piece.
 *
 * @param mostValues most values one of them may hold; see parseJson
 */
export function* readJsonRecords(piece: Piece, mostValues?: number): Generator<RawRecord> {
  for (const text of jsonTexts(piece)) yield parseText(piece, text, mostValues)
}

/** Parses one of the documents of a piece. */
export function parseText(
  { bytes }: Pick<Piece, 'bytes'>,
  { line, at, start, end, unended }: RawText,
  mostValues?: number,
): RawRecord {
  return { line, at, ...parseJson(bytes.subarray(start, end), unended, mostValues) }
}
