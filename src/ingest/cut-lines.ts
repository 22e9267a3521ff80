import type { CutLimits } from './formats/format.js'
import { HeldBytes } from './held-bytes.js'
import { InputFault } from './input-fault.js'
import type { InputFile } from './input-file.js'
import type { Piece, Reject } from './piece.js'
import { recordTooLong } from './record-too-long.js'

const NEWLINE = 0x0a

/**
 * Cuts an input into pieces of whole lines. Holds at most one unfinished line and one chunk: a line over the limit is
 * passed over as it streams by, and those after it are kept.
 */
export async function* cutLines(file: InputFile, limits: CutLimits): AsyncGenerator<Piece | Reject> {
  const held = new HeldBytes()
  let line = 1
  let passing = false
  const piece = (lines: number, unended: boolean): Piece => {
    const first = line
    line += lines
    return {
      file: file.name,
      line: first,
      kind: 'lines',
      at: '',
      bytes: held.take(limits.memory),
      unended,
      records: lines,
    }
  }
  const reject = (message: string): Reject => ({ file: file.name, line, path: '', message })

  try {
    for await (const chunk of file.chunks) {
      let kept = 0
      let start = 0
      let lines = 0
      // Between chunks only the beginning of one line is held, so it belongs to the first line that ends here.
      let begun = held.length
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
        if (passing || begun + end - start > limits.recordBytes) {
          if (lines > 0) {
            held.add(chunk.subarray(kept, start))
            yield piece(lines, false)
            lines = 0
          }
          if (!passing) yield reject(recordTooLong(limits))
          passing = false
          held.clear()
          line += 1
          kept = end + 1
        } else {
          lines += 1
          // Lines of two bytes are as much work each as longer ones.
          if (lines === limits.pieceRecords) {
            held.add(chunk.subarray(kept, end + 1))
            kept = end + 1
            yield piece(lines, false)
            lines = 0
          }
        }
        begun = 0
        start = end + 1
      }
      if (lines > 0) {
        held.add(chunk.subarray(kept, start))
        yield piece(lines, false)
      }
      if (passing) continue
      held.add(chunk.subarray(start))
      limits.onHeld?.(held.length)
      if (held.length > limits.recordBytes) {
        yield reject(recordTooLong(limits))
        held.clear()
        passing = true
      }
    }
  } catch (error) {
    if (!(error instanceof InputFault)) throw error
    yield reject(error.message)
    return
  }
  if (held.length > 0) yield piece(1, true)
}
