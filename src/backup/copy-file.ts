import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'

/** Bytes read at a time. */
const BLOCK_BYTES = 1024 * 1024

/** What was read of a file. */
export interface Digest {
  readonly bytes: number
  readonly sha256: string
}

export interface CopyOptions {
  /** Where to; absent: the file is only read. The copy is new, its owner's only, and durable when this resolves. */
  readonly to?: string
  /** Only so many bytes from the beginning. */
  readonly limit?: number
  /** Hears of bytes as they are done. */
  readonly onBytes?: (bytes: number) => void
}

/** Reads a file, and copies it: what is hashed is what was read, so that a copy can be held against it. */
export async function copyFile(from: string, { to, limit = Infinity, onBytes }: CopyOptions): Promise<Digest> {
  const source = await open(from, 'r')
  const target =
    to === undefined
      ? undefined
      : await open(to, 'wx', 0o600).catch(async (error: unknown) => {
          await source.close()
          throw error
        })
  try {
    const hash = createHash('sha256')
    const buffer = Buffer.allocUnsafe(BLOCK_BYTES)
    let bytes = 0
    while (bytes < limit) {
      const { bytesRead } = await source.read(buffer, 0, Math.min(BLOCK_BYTES, limit - bytes), bytes)
      if (bytesRead === 0) break
      const block = buffer.subarray(0, bytesRead)
      hash.update(block)
      if (target !== undefined) await writeAll(target, block, bytes)
      bytes += bytesRead
      onBytes?.(bytesRead)
    }
    await target?.sync()
    return { bytes, sha256: hash.digest('hex') }
  } finally {
    await source.close()
    await target?.close()
  }
}

async function writeAll(target: FileHandle, block: Buffer, at: number): Promise<void> {
  for (let done = 0; done < block.length;) {
    done += (await target.write(block, done, block.length - done, at + done)).bytesWritten
  }
}
