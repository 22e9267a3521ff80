import type { CutLimits } from './formats/format.js'
import { HeldBytes } from './held-bytes.js'
import { InputFault } from './input-fault.js'
import type { InputFile } from './input-file.js'
import type { Piece, Reject } from './piece.js'
import { recordTooLong } from './record-too-long.js'

const NEWLINE = 0x0a
/** Of a full piece's bytes, how many are enough: what comes off a connection is a quarter of one at a time. */
const ENOUGH = 3 / 4

/**
 * Cuts an input into pieces of whole lines. Holds at most one unfinished line, and whole ones that are not a piece yet: a line
 * over the limit is passed over as it streams by, and those after it are kept.
 */
export async function* cutLines(file: InputFile, limits: CutLimits): AsyncGenerator<Piece | Reject> {
  /** Whole lines, and how many. */
  const whole = new HeldBytes()
  let lines = 0
  /** The beginning of the line behind them. */
  const begun = new HeldBytes()
  let line = 1
  let passing = false
  const piece = (unended: boolean): Piece => {
    const about = { file: file.name, line, kind: 'lines', at: '', unended, records: lines } as const
    line += lines
    lines = 0
    return { ...about, bytes: whole.take(limits.memory) }
  }
  const reject = (message: string): Reject => ({ file: file.name, line, path: '', message })

  try {
    for await (const chunk of file.chunks) {
      let start = 0
      // Where whole lines begin that are not held yet.
      let kept = 0
      const hold = (end: number): void => {
        if (end > kept) whole.add(chunk.subarray(kept, end))
        kept = end
      }
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
        if (passing || begun.length + end - start > limits.recordBytes) {
          hold(start)
          if (lines > 0) yield piece(false)
          if (!passing) yield reject(recordTooLong(limits))
          passing = false
          begun.clear()
          line += 1
          kept = end + 1
        } else {
          if (begun.length > 0) whole.addAll(begun)
          lines += 1
          // Lines of two bytes are as much work each as longer ones.
          if (lines === limits.pieceRecords) {
            hold(end + 1)
            yield piece(false)
          }
        }
        start = end + 1
      }
      hold(start)
      if (whole.length >= limits.pieceBytes * ENOUGH) yield piece(false)
      if (passing) continue
      begun.add(chunk.subarray(start))
      limits.onHeld?.(begun.length)
      if (begun.length > limits.recordBytes) {
        if (lines > 0) yield piece(false)
        yield reject(recordTooLong(limits))
        begun.clear()
        passing = true
      }
    }
  } catch (error) {
    if (!(error instanceof InputFault)) throw error
    if (lines > 0) yield piece(false)
    yield reject(error.message)
    return
  }
  if (lines > 0) yield piece(false)
  if (begun.length === 0) return
  whole.addAll(begun)
  lines = 1
  yield piece(true)
}
