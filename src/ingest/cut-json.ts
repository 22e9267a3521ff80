import type { CutLimits } from './formats/format.js'
import { HeldBytes } from './held-bytes.js'
import { InputFault } from './input-fault.js'
import type { InputFile } from './input-file.js'
import { type CutValue, JsonCutter } from './json-cutter.js'
import type { Piece, Reject, ValuePlace } from './piece.js'
import { recordTooLong } from './record-too-long.js'

/** Elements of an array that travel together, and the bytes after which they are on their way. */
const MOST_VALUES = 512
const VALUES_BYTES = 64 * 1024

/** Cuts a JSON document into its values: the elements of an array at the top, or objects one after another. */
export async function* cutJson(file: InputFile, limits: CutLimits): AsyncGenerator<Piece | Reject> {
  const cutter = new JsonCutter(limits.recordBytes)
  const values = new GatheredValues(file.name)
  const tooLong = ({ line, index }: CutValue): Reject => {
    return { file: file.name, line, path: index === undefined ? '' : `[${index}]`, message: recordTooLong(limits) }
  }
  try {
    for await (const chunk of file.chunks) {
      for (const value of cutter.push(chunk)) {
        if (value.bytes === undefined) {
          if (!values.isEmpty) yield values.take()
          yield tooLong(value)
        } else {
          values.add(value, value.bytes)
          if (values.isFull) yield values.take()
        }
      }
      limits.onHeld?.(cutter.heldBytes)
      // Values are parts of the chunk.
      if (!values.isEmpty) yield values.take()
    }
  } catch (error) {
    if (!(error instanceof InputFault)) throw error
    yield { file: file.name, line: cutter.line, path: '', message: error.message }
    return
  }
  const rest = cutter.end()
  if (rest?.value?.bytes !== undefined) {
    values.add(rest.value, rest.value.bytes)
    yield values.take(true)
  } else if (rest?.value !== undefined) yield tooLong(rest.value)
  else if (rest !== undefined) {
    const message = 'the array that begins here is not closed: the file was cut off'
    yield { file: file.name, line: rest.line, path: '', message }
  }
}

/** Gathers small elements of an array: a message each to a thread would cost more than the work on most. */
class GatheredValues {
  readonly #file: string
  readonly #held = new HeldBytes()
  #places: ValuePlace[] = []
  #single: CutValue | undefined

  constructor(file: string) {
    this.#file = file
  }

  get isEmpty(): boolean {
    return this.#held.length === 0
  }

  get isFull(): boolean {
    // Outside an array a value is a document, alone in its piece.
    const isDocument = this.#single !== undefined && this.#single.index === undefined
    return isDocument || this.#places.length === MOST_VALUES || this.#held.length >= VALUES_BYTES
  }

  add(value: CutValue, bytes: Buffer): void {
    const start = this.#held.length
    this.#held.add(bytes)
    this.#single = this.#places.length === 0 ? value : undefined
    this.#places.push({ start, end: this.#held.length, line: value.line, index: value.index ?? 0 })
  }

  take(unended = false): Piece {
    const [first] = this.#places
    const single = this.#single
    const places = this.#places
    this.#places = []
    this.#single = undefined
    const about = { file: this.#file, line: first?.line ?? 1, bytes: this.#held.take(), unended }
    if (single === undefined) return { ...about, kind: 'values', at: '', places, records: places.length }
    return { ...about, kind: 'value', at: single.index === undefined ? '' : `[${single.index}]` }
  }
}
