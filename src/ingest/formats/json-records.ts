import { cutJson } from '../cut-json.js'
import { cutLines } from '../cut-lines.js'
import type { InputFile } from '../input-file.js'
import { parseJson } from '../parse-json.js'
import type { Piece, RawRecord, Reject } from '../piece.js'
import type { CutLimits } from './format.js'

const NEWLINE = 0x0a
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

/**
 * Parses the documents of a piece.
 *
 * @param mostValues most values one of them may hold; see parseJson
 */
export function* readJsonRecords(piece: Piece, mostValues?: number): Generator<RawRecord> {
  const { bytes, line: first, at, unended } = piece
  if (piece.kind === 'value') {
    yield { line: first, at, ...parseJson(bytes, unended, mostValues) }
    return
  }
  if (piece.kind === 'values') {
    for (const { start, end, line, index } of piece.places ?? []) {
      yield { line, at: `[${index}]`, ...parseJson(bytes.subarray(start, end), false, mostValues) }
    }
    return
  }
  let line = first
  let start = 0
  while (start < bytes.length) {
    const newline = bytes.indexOf(NEWLINE, start)
    const end = newline === -1 ? bytes.length : newline
    const record = bytes.subarray(start, end)
    // A blank line is no record. Most lines begin with a brace, and only the others are looked at whole.
    if (record[0] === 0x7b || !BLANK.test(Buffer.from(record).toString('latin1'))) {
      yield { line, at, ...parseJson(record, unended && newline === -1, mostValues) }
    }
    line += 1
    start = end + 1
  }
}
