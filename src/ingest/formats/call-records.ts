import { cutJson } from '../cut-json.js'
import { cutLines } from '../cut-lines.js'
import { parseJson } from '../parse-json.js'
import type { Piece, RawRecord } from '../piece.js'
import type { Format } from './format.js'

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

function recordOf(bytes: Uint8Array, line: number, at: string, unended: boolean): RawRecord {
  return { line, at, ...parseJson(bytes, unended) }
}

/** Call records as JSON: one a line (NDJSON), an array, or one object however it is laid out. */
export const callRecords: Format = {
  name: 'call-records',
  title: 'call records, one JSON object a line, or a JSON array of them',

  recognises({ head, path }) {
    const first = head.trimStart().charAt(0)
    return first === '{' || first === '[' || /\.(json|jsonl|ndjson)(\.gz)?$/i.test(path ?? '')
  },

  cut(file, limits) {
    return isDocument(file.head) ? cutJson(file, limits) : cutLines(file, limits)
  },

  *read(piece: Piece) {
    const { bytes, line: first, at, unended } = piece
    if (piece.kind === 'value') {
      yield recordOf(bytes, first, at, unended)
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
        yield recordOf(record, line, at, unended && newline === -1)
      }
      line += 1
      start = end + 1
    }
  },
}
