import { Decompress } from 'fzstd'
import { otherWork } from '../base/other-work.js'
import { InputFault } from './input-fault.js'

/**
 * Largest window, that of `zstd -19`. The decompressor takes this memory whatever a frame holds, and moves all of it for each block,
 * in the thread that answers.
 */
const WINDOW_BYTES = 8 * 1024 * 1024
/** Most that a block may hold (RFC 8878, 3.1.1.2.4); the decompressor would take more. */
const BLOCK_BYTES = 128 * 1024
/** Bytes moved before others get their turn: some milliseconds. */
const MOVED_AT_ONCE = 16 * 1024 * 1024
/** Bytes moved for each byte that comes out, and for an input however little that is: blocks of the largest window hold 8 KiB on the average. */
const MOVED_FOR_A_BYTE = 1024
const MOVED_FOR_ALL = 4 * 1024 ** 3

const FRAME = 0xfd2fb528
/** The magic numbers of frames that hold nothing of the content end in any four bits. */
const SKIPPABLE = 0x184d2a5
const DICTIONARY_BYTES = [0, 1, 2, 4]

interface Frame {
  readonly head: Buffer
  readonly window: number
  readonly checksumBytes: number
}

/** Decompresses zstd as it streams by, several frames too. Throws InputFault for data that is damaged, cut off, or too much work for what it holds. */
export async function* unzstd(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const input = new Bytes(chunks)
  let given = 0
  let moved = 0
  let movedNow = 0
  while (await input.hasMore()) {
    const magic = await input.take(4)
    if (magic.readUInt32LE() >>> 4 === SKIPPABLE) {
      await input.skip((await input.take(4)).readUInt32LE())
      continue
    }
    if (magic.readUInt32LE() !== FRAME) throw damaged()
    const { head, window, checksumBytes } = await frameOf(magic, input)
    const push = decompressing()
    push(head, false)
    for (let isLast = false; !isLast;) {
      const block = await blockOf(input)
      isLast = block.isLast
      const bytes = isLast ? Buffer.concat([block.bytes, await input.take(checksumBytes)]) : block.bytes
      moved += window
      movedNow += window + BLOCK_BYTES
      for (const part of push(bytes, isLast)) {
        given += part.length
        if (part.length > 0) yield Buffer.from(part.buffer, part.byteOffset, part.length)
      }
      if (moved > MOVED_FOR_ALL + given * MOVED_FOR_A_BYTE) {
        throw new InputFault('is compressed in blocks that hold too little: decompress it, and compress it in one go')
      }
      if (movedNow < MOVED_AT_ONCE) continue
      movedNow = 0
      await otherWork()
    }
  }
}

/** The head of a frame (RFC 8878, 3.1.1.1), before any memory is taken for what it says. */
async function frameOf(magic: Buffer, input: Bytes): Promise<Frame> {
  const flags = await input.take(1)
  const [flag = 0] = flags
  const isSingle = (flag & 0x20) !== 0
  const dictionaryBytes = DICTIONARY_BYTES[flag & 3] ?? 0
  const sizeBytes = flag >> 6 === 0 ? Number(isSingle) : 1 << (flag >> 6)
  const descriptor = await input.take(isSingle ? 0 : 1)
  const dictionary = await input.take(dictionaryBytes)
  const size = await input.take(sizeBytes)
  const window = isSingle ? contentSize(size) : windowSize(descriptor[0] ?? 0)
  if (window > WINDOW_BYTES) {
    throw new InputFault('is compressed with a window of more than 8 MiB: compress it without --long or --ultra')
  }
  return {
    head: Buffer.concat([magic, flags, descriptor, dictionary, size]),
    window,
    checksumBytes: (flag & 4) === 0 ? 0 : 4,
  }
}

/** Powers of two from 1 KiB, and eighths of them. */
function windowSize(descriptor: number): number {
  const base = 2 ** (10 + (descriptor >> 3))
  return base + (base / 8) * (descriptor & 7)
}

/** What a frame holds in all, which is its window where it says no other. */
function contentSize(size: Buffer): number {
  if (size.length === 8) return Number(size.readBigUInt64LE())
  return size.readUIntLE(0, size.length) + (size.length === 2 ? 256 : 0)
}

async function blockOf(input: Bytes): Promise<{ bytes: Buffer; isLast: boolean }> {
  const head = await input.take(3)
  const said = head.readUIntLE(0, 3)
  const size = said >> 3
  if (size > BLOCK_BYTES) throw damaged()
  const isRepeated = ((said >> 1) & 3) === 1
  return { bytes: Buffer.concat([head, await input.take(isRepeated ? 1 : size)]), isLast: (said & 1) === 1 }
}

/** One frame's decompressor: takes its head and then block by block, and gives what comes out of each. */
function decompressing(): (bytes: Uint8Array, last: boolean) => readonly Uint8Array[] {
  let out: Uint8Array[] = []
  const decompress = new Decompress(part => void out.push(part))
  return (bytes, last) => {
    try {
      decompress.push(bytes, last)
    } catch {
      throw damaged()
    }
    const parts = out
    out = []
    return parts
  }
}

/** Chunks as bytes that are taken as many as are wanted. */
class Bytes {
  readonly #chunks: AsyncIterator<Buffer>
  #held: Buffer = Buffer.alloc(0)

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]()
  }

  /** Whether there is another byte. */
  async hasMore(): Promise<boolean> {
    while (this.#held.length === 0) {
      const next = await this.#chunks.next()
      if (next.done === true) return false
      this.#held = next.value
    }
    return true
  }

  async take(count: number): Promise<Buffer> {
    const parts: Buffer[] = []
    for (let left = count; left > 0;) {
      const part = await this.#some(left)
      parts.push(part)
      left -= part.length
    }
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts)
  }

  async skip(count: number): Promise<void> {
    for (let left = count; left > 0;) left -= (await this.#some(left)).length
  }

  async #some(most: number): Promise<Buffer> {
    if (!(await this.hasMore())) throw new InputFault('ends in the middle of its compressed data: the file was cut off')
    const part = this.#held.subarray(0, most)
    this.#held = this.#held.subarray(most)
    return part
  }
}

function damaged(): InputFault {
  return new InputFault('holds damaged compressed data from here on')
}
