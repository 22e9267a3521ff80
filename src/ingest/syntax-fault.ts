import type { Fault } from './piece.js'

const POSITION = /at position (\d+)/
const ENDED = /Unexpected end|Unterminated/

/**
 * Why a text is not JSON, without quoting it: V8's own messages repeat what stands around the fault.
 *
 * @param unended whether the input stopped without ending the line: then it was probably cut off
 */
export function syntaxFault(error: unknown, text: string, unended: boolean): Fault {
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
