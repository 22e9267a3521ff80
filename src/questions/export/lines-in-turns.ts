import { mapInTurns } from '../../base/in-turns.js'
import { otherWork } from '../../base/other-work.js'
import { type Document, toPlain, type Value } from '../../pipeline/index.js'

/** Lines made before others are answered, and UTF-16 units of them. */
const LINES_A_TURN = 32
const UNITS_A_TURN = 256 * 1024

/** Calls as lines of text, in pieces of whole lines; a call of many megabytes is worked on in turns too. */
export async function* linesInTurns(
  documents: readonly Document[],
  lineOf: (call: Record<string, unknown>) => Promise<string>,
): AsyncGenerator<string> {
  let [piece, lines] = ['', 0]
  for (const document of documents) {
    piece += await lineOf(await mapInTurns(document, value => toPlain(value as Value)))
    lines += 1
    if (lines < LINES_A_TURN && piece.length < UNITS_A_TURN) continue
    yield piece
    ;[piece, lines] = ['', 0]
    await otherWork()
  }
  if (lines > 0) yield piece
}
