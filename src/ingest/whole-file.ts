import type { CutLimits } from './formats/format.js'
import { HeldBytes } from './held-bytes.js'
import { InputFault } from './input-fault.js'
import { recordTooLong } from './record-too-long.js'

/** All of an input that is one record. Throws InputFault when it is over the limit or can't be read. */
export async function wholeFile(chunks: AsyncIterable<Buffer>, limits: CutLimits): Promise<Buffer> {
  const held = new HeldBytes()
  for await (const chunk of chunks) {
    held.add(chunk)
    if (held.length > limits.recordBytes) throw new InputFault(recordTooLong(limits))
  }
  return held.take()
}
