import { Decompress, ZstdErrorCode } from 'fzstd'
import { InputFault } from './input-fault.js'

/** Compressed bytes taken at a time: each few of them may stand for 128 KiB, all of which come out at once. */
const SLICE_BYTES = 256
/** Largest window, as of the command-line tool: memory that is taken whatever the data holds. */
const WINDOW_BYTES = 128 * 1024 * 1024

/** First byte after the magic number and flags: powers of two from 1 KiB, and eighths of them. */
function windowOf(head: Uint8Array): number {
  const [, , , , flags = 0, window = 0] = head
  const isSingle = (flags & 0x20) !== 0
  const base = 2 ** (10 + (window >> 3))
  return isSingle ? 0 : base + (base / 8) * (window & 7)
}

/** Decompresses zstd as it streams by, several frames too. Throws InputFault for data that is damaged or cut off. */
export async function* unzstd(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let out: Uint8Array[] = []
  const decompress = new Decompress(part => void out.push(part))
  const push = (bytes: Uint8Array, last: boolean): readonly Uint8Array[] => {
    try {
      decompress.push(bytes, last)
    } catch (error) {
      throw faultOf(error)
    }
    const parts = out
    out = []
    return parts
  }
  let first = true
  for await (const chunk of chunks) {
    if (first && windowOf(chunk) > WINDOW_BYTES) {
      throw new InputFault('is compressed with a window of more than 128 MiB: compress it without --long or --ultra')
    }
    first = false
    for (let at = 0; at < chunk.length; at += SLICE_BYTES) {
      for (const part of push(chunk.subarray(at, at + SLICE_BYTES), false))
        yield Buffer.from(part.buffer, part.byteOffset, part.length)
    }
  }
  for (const part of push(new Uint8Array(), true))
    if (part.length > 0) yield Buffer.from(part.buffer, part.byteOffset, part.length)
}

function faultOf(error: unknown): InputFault {
  const isCut = error instanceof Error && 'code' in error && error.code === ZstdErrorCode.UnexpectedEOF
  if (isCut) return new InputFault('ends in the middle of its compressed data: the file was cut off')
  return new InputFault('holds damaged compressed data from here on')
}
