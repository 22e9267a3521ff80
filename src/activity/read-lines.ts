import type { FileHandle } from 'node:fs/promises'

/** Bytes read at a time, and the longest line there can be: a line of the trail has a few kilobytes at most. */
const CHUNK_BYTES = 1024 * 1024

/** One line of a file without its end, or the bytes behind the last line end. */
export interface ReadLine {
  readonly bytes: Buffer
  /** Where it starts in the file. */
  readonly offset: number
  /** Where the next one starts. */
  readonly next: number
  /** Whether a line end follows; without one it is the file's last, or longer than a line can be. */
  readonly ended: boolean
}

/** The lines of a file between two offsets. The bytes are valid until the next line is asked for. */
export async function* readLines(handle: FileHandle, from: number, until: number): AsyncGenerator<ReadLine> {
  const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.max(0, until - from)))
  let offset = from
  while (offset < until) {
    const length = Math.min(chunk.length, until - offset)
    const { bytesRead } = await handle.read(chunk, 0, length, offset)
    if (bytesRead === 0) return
    const bytes = chunk.subarray(0, bytesRead)
    let start = 0
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
      yield { bytes: bytes.subarray(start, end), offset: offset + start, next: offset + end + 1, ended: true }
      start = end + 1
    }
    const atEnd = offset + bytesRead >= until
    if (start < bytesRead && (atEnd || start === 0)) {
      yield { bytes: bytes.subarray(start), offset: offset + start, next: offset + bytesRead, ended: false }
      start = bytesRead
    }
    offset += start
  }
}
