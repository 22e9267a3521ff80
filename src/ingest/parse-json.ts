import { isUtf8 } from 'node:buffer'
import type { Fault, SourceText } from './piece.js'

const POSITION = /at position (\d+)/
const ENDED = /Unexpected end|Unterminated/

/**
 * Why a text is not JSON, without quoting it: V8's own messages repeat what stands around the fault.
 *
 * @param unended whether the input stopped without ending the line: then it was probably cut off
 */
function syntaxFault(error: unknown, text: string, unended: boolean): Fault {
  const said = error instanceof SyntaxError ? error.message : ''
  const position = POSITION.exec(said)?.[1]
  const atEnd = position !== undefined && Number(position) >= text.trimEnd().length
  if (atEnd || ENDED.test(said)) {
    return { path: '', message: `is not whole JSON: it ends too early${unended ? '; the file was cut off here' : ''}` }
  }
  if (position === undefined) return { path: '', message: 'is not JSON' }
  const before = text.slice(0, Number(position)).split('\n')
  const column = (before.at(-1)?.length ?? 0) + 1
  const place = before.length === 1 ? `column ${column}` : `line ${before.length} of it, column ${column}`
  return { path: '', message: `is not JSON: there is a fault at ${place}` }
}

/**
 * Most values of one record: 25,000 turns have less. Without it 16 MiB of `{},{},` would become hundreds of megabytes of
 * objects, and a worker that runs out of memory takes the process along.
 */
const MOST_VALUES = 150_000
const COMMA = 0x2c
const OPEN_ARRAY = 0x5b
const OPEN_OBJECT = 0x7b

/** Whether JSON may hold more values than a record can: counts what separates or opens them, in strings too. */
function isOverfull(bytes: Uint8Array, most: number): boolean {
  if (bytes.length <= most) return false
  let values = 0
  for (const byte of bytes) {
    if (byte === COMMA || byte === OPEN_ARRAY || byte === OPEN_OBJECT) values += 1
  }
  return values > most
}

/**
 * Parses JSON in UTF-8.
 *
 * @param unended whether the input stopped without ending the line: a fault may be due to that
 * @param mostValues most values it may hold: transcripts with every word's time hold more than call records
 */
export function parseJson(
  bytes: Uint8Array,
  unended: boolean,
  mostValues = MOST_VALUES,
): { readonly value: unknown; readonly source: SourceText } | { readonly fault: Fault } {
  if (!isUtf8(bytes)) return { fault: { path: '', message: 'holds bytes that are not UTF-8' } }
  if (isOverfull(bytes, mostValues)) return { fault: { path: '', message: 'holds too many values for one record' } }
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  try {
    return { value: JSON.parse(text) as unknown, source: { text, ascii: text.length === bytes.length } }
  } catch (error) {
    return { fault: syntaxFault(error, text, unended) }
  }
}
