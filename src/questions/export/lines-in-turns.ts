import { mapInTurns } from '../../base/in-turns.js'
import { otherWork } from '../../base/other-work.js'
import { type Document, toPlain, type Value } from '../../pipeline/index.js'

/** Lines made before others are answered. */
const LINES_A_TURN = 32

/** Calls as lines of text, in pieces of whole lines; a call of many megabytes is worked on in turns too. */
export async function* linesInTurns(
  documents: readonly Document[],
  lineOf: (call: Record<string, unknown>) => Promise<string>,
): AsyncGenerator<string> {
  for (let start = 0; start < documents.length; start += LINES_A_TURN) {
    const lines: string[] = []
    for (const document of documents.slice(start, start + LINES_A_TURN)) {
      lines.push(await lineOf(await mapInTurns(document, value => toPlain(value as Value))))
    }
    yield lines.join('')
    await otherWork()
  }
}
