import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { ReadableStream } from 'node:stream/web'

/** Bytes read at a time. */
const BLOCK_BYTES = 1024 * 1024

/** What was read of a file. */
export interface Digest {
  readonly bytes: number
  readonly sha256: string
}

/** Makes what is written of what is read, as a stream: seals it, or opens it. */
export type Through = (read: ReadableStream<Uint8Array>) => Promise<AsyncIterable<Uint8Array>>

export interface CopyOptions {
  /** Where to; absent: the file is only read. The copy is new, its owner's only, and durable when this resolves. */
  readonly to?: string
  /** Only so many bytes from the beginning. */
  readonly limit?: number
  readonly through?: Through | undefined
  /** Hears of bytes as they are done. */
  readonly onBytes?: (bytes: number) => void
}

/** What was read, and where something else was written, that. */
export interface Copied extends Digest {
  readonly written?: Digest
}

/** Reads a file, and copies it: what is hashed is what was read, so that a copy can be held against it. */
export async function copyFile(from: string, { to, limit = Infinity, through, onBytes }: CopyOptions): Promise<Copied> {
  const source = await open(from, 'r')
  const target =
    to === undefined
      ? undefined
      : await open(to, 'wx', 0o600).catch(async (error: unknown) => {
          await source.close()
          throw error
        })
  try {
    const read = new Counted()
    const written = new Counted()
    const blocks = blocksOf(source, limit, read, onBytes)
    const pieces = through === undefined ? blocks : await through(ReadableStream.from<Uint8Array>(blocks))
    for await (const piece of pieces) {
      if (target !== undefined) await writeAll(target, piece, written.bytes)
      written.add(piece)
    }
    await target?.sync()
    return { ...read.digest(), ...(through !== undefined && { written: written.digest() }) }
  } finally {
    await source.close()
    await target?.close()
  }
}

class Counted {
  bytes = 0
  readonly #hash = createHash('sha256')

  add(piece: Uint8Array): void {
    this.bytes += piece.length
    this.#hash.update(piece)
  }

  digest(): Digest {
    return { bytes: this.bytes, sha256: this.#hash.digest('hex') }
  }
}

/** A block of its own each: whoever takes one may read ahead. */
async function* blocksOf(source: FileHandle, limit: number, read: Counted, onBytes?: (bytes: number) => void) {
  while (read.bytes < limit) {
    const buffer = Buffer.allocUnsafe(Math.min(BLOCK_BYTES, limit - read.bytes))
    // oxlint-disable-next-line no-await-in-loop -- one block after the other
    const { bytesRead } = await source.read(buffer, 0, buffer.length, read.bytes)
    if (bytesRead === 0) return
    const block = buffer.subarray(0, bytesRead)
    read.add(block)
    yield block
    onBytes?.(bytesRead)
  }
}

async function writeAll(target: FileHandle, block: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < block.length;) {
    done += (await target.write(block, done, block.length - done, at + done)).bytesWritten
  }
}
