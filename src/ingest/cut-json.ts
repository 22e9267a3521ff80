import type { CutLimits } from './formats/format.js'
import { InputFault } from './input-fault.js'
import type { InputFile } from './input-file.js'
import { type CutValue, JsonCutter } from './json-cutter.js'
import type { Piece, Reject } from './piece.js'
import { recordTooLong } from './record-too-long.js'

/** Cuts a JSON document into its values: the elements of an array at the top, or objects one after another. */
export async function* cutJson(file: InputFile, limits: CutLimits): AsyncGenerator<Piece | Reject> {
  const cutter = new JsonCutter(limits.recordBytes)
  const piece = ({ line, index, bytes }: CutValue, unended: boolean): Piece | Reject => {
    const at = index === undefined ? '' : `[${index}]`
    if (bytes === undefined) return { file: file.name, line, path: at, message: recordTooLong(limits) }
    return { file: file.name, line, kind: 'value', at, bytes, unended }
  }
  try {
    for await (const chunk of file.chunks) for (const value of cutter.push(chunk)) yield piece(value, false)
  } catch (error) {
    if (!(error instanceof InputFault)) throw error
    yield { file: file.name, line: cutter.line, path: '', message: error.message }
    return
  }
  const rest = cutter.end()
  if (rest?.value !== undefined) yield piece(rest.value, true)
  else if (rest !== undefined) {
    const message = 'the array that begins here is not closed: the file was cut off'
    yield { file: file.name, line: rest.line, path: '', message }
  }
}
