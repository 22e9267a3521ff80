import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { errorCode } from '../base/error-code.js'
import { Problem } from '../base/problem.js'
import { type Shape, shapeOf } from './formats/shape/shape-of.js'
import { InputFault } from './input-fault.js'
import { unzstd } from './unzstd.js'
import type { OpenFile, Source } from './sources.js'

/** Bytes at the beginning of a file that tell its format. */
const HEAD_BYTES = 64 * 1024
/** Bytes decompressed at a time. */
const GUNZIP_BYTES = 256 * 1024

/** An opened input: decompressed, without byte-order mark, its beginning already read. */
export interface InputFile {
  /** The input as reports name it. */
  readonly name: string
  /** Where it lies, when it is a file: a format of several files finds the others by it. */
  readonly path: string | undefined
  /** How the other files of its format are opened. */
  readonly openFile: OpenFile
  /** The beginning of the content, up to 64 KiB, as text. */
  readonly head: string
  /** The fields that its beginning has, where it is JSON. */
  readonly shape: Shape
  /** The whole content, once. Throws InputFault where the input can't be read on. */
  readonly chunks: AsyncIterable<Buffer>
  /** Lets go of the input, read to its end or not. */
  close(): Promise<void>
}

const GZIP = [0x1f, 0x8b]
const ZSTD = [0x28, 0xb5, 0x2f, 0xfd]
const ZIP = [0x50, 0x4b, 0x03, 0x04]
const UNREADABLE: readonly (readonly [readonly number[], string])[] = [
  [ZIP, 'is a ZIP archive: unpack it first'],
  [GZIP, 'is compressed with gzip twice: decompress it once first'],
  [[0x42, 0x5a, 0x68], 'is compressed with bzip2, which import does not read: decompress it first'],
  [[0xfd, 0x37, 0x7a, 0x58, 0x5a], 'is compressed with xz, which import does not read: decompress it first'],
]
/** Where the name of the first file of a ZIP archive stands, and how it begins in those that Excel and Word write. */
const ZIP_NAME_AT = 30
const OFFICE_PARTS = /^(?:\[Content_Types\]\.xml|_rels\/|docProps\/|xl\/|word\/)/
const OFFICE = 'is a document of Excel, Word or the like: save it as CSV UTF-8, or as plain text'
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]

function begins(bytes: Buffer, magic: readonly number[]): boolean {
  return bytes.length >= magic.length && magic.every((byte, index) => bytes[index] === byte)
}

function isOffice(first: Buffer): boolean {
  return begins(first, ZIP) && OFFICE_PARTS.test(first.subarray(ZIP_NAME_AT, ZIP_NAME_AT + 32).toString('latin1'))
}

interface Peeked {
  readonly first: Buffer
  readonly all: AsyncGenerator<Buffer>
}

/** The first `least` bytes or more (fewer at the end of the input) and everything, them included. */
async function peek(chunks: AsyncIterator<Buffer>, least: number): Promise<Peeked> {
  const parts: Buffer[] = []
  let length = 0
  while (length < least) {
    const next = await chunks.next()
    if (next.done === true) break
    parts.push(next.value)
    length += next.value.length
  }
  const first = Buffer.concat(parts)
  async function* all() {
    try {
      if (first.length > 0) yield first
      for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) yield next.value
    } finally {
      await chunks.return?.()
    }
  }
  return { first, all: all() }
}

async function* buffersOf(stream: Readable, onBytes: (bytes: number) => void): AsyncGenerator<Buffer> {
  let taken = 0
  try {
    for await (const chunk of stream as AsyncIterable<Buffer | string>) {
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
      taken += bytes.length
      onBytes(bytes.length)
      yield bytes
    }
  } catch (error) {
    const code = errorCode(error) ?? 'unknown cause'
    throw new InputFault(`can't be read${taken > 0 ? ' on from here' : ''} (${code})`)
  } finally {
    stream.destroy()
  }
}

async function* gunzipped(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: GUNZIP_BYTES })
  // A failure of either side reaches the loop, which is where it is told.
  pipeline(chunks, gunzip, () => {})
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) yield chunk
  } catch (error) {
    throw gzipFault(error)
  } finally {
    gunzip.destroy()
  }
}

function decompressed({ first, all }: Peeked): AsyncGenerator<Buffer> {
  if (begins(first, GZIP)) return gunzipped(all)
  return begins(first, ZSTD) ? unzstd(all) : all
}

/** UTF-16 as UTF-8; it is known by its byte-order mark, or by the zero byte of its first character. */
async function* decoded(chunks: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  const { first, all } = await peek(chunks, 2)
  const [one = 0, two = 0] = first
  if (first.length >= 2 && ((one === 0xff && two === 0xfe) || (one !== 0 && two === 0))) {
    yield* decodeUtf16(all, 'utf-16le')
  } else if (first.length >= 2 && ((one === 0xfe && two === 0xff) || (one === 0 && two !== 0))) {
    yield* decodeUtf16(all, 'utf-16be')
  } else yield* all
}

/** Passes on so many bytes and no more: what is compressed may be a thousand times as long. */
async function* bounded(chunks: AsyncIterable<Buffer>, most: number): AsyncGenerator<Buffer> {
  let taken = 0
  for await (const chunk of chunks) {
    taken += chunk.length
    if (taken > most) {
      throw new Problem('too_large', `The input is larger than the limit of ${most} bytes; send it in parts`)
    }
    yield chunk
  }
}

function gzipFault(error: unknown): unknown {
  const code = errorCode(error)
  if (code === 'Z_BUF_ERROR') return new InputFault('ends in the middle of its compressed data: the file was cut off')
  if (code === 'Z_DATA_ERROR') return new InputFault('holds damaged compressed data from here on')
  return error
}

async function* withoutMark(chunks: AsyncGenerator<Buffer>, marked: boolean): AsyncGenerator<Buffer> {
  let skip = marked ? BYTE_ORDER_MARK.length : 0
  for await (const chunk of chunks) {
    yield skip > 0 ? chunk.subarray(skip) : chunk
    skip = 0
  }
}

/**
 * Opens an input by what it holds: gzip and zstd are decompressed (several members too), UTF-16 is made UTF-8, a byte-order mark is
 * dropped.
 *
 * @param onBytes hears how many bytes were taken from the source, compressed as they are
 * @param mostBytes most bytes of the content, decompressed; one more fails the chunks with Problem `too_large`
 * @throws InputFault for content import can't read, with the reason
 */
export async function openInput(
  source: Pick<Source, 'name' | 'path' | 'openFile'> & { readonly stream: Readable },
  onBytes: (bytes: number) => void,
  mostBytes = Number.POSITIVE_INFINITY,
): Promise<InputFile> {
  const raw = await peek(buffersOf(source.stream, onBytes), 8)
  const content = decoded(bounded(decompressed(raw), mostBytes))
  const { first, all } = await peek(content, HEAD_BYTES)
  const unreadable = UNREADABLE.find(([magic]) => begins(first, magic))
  if (unreadable !== undefined) {
    source.stream.destroy()
    throw new InputFault(isOffice(first) ? OFFICE : unreadable[1])
  }
  const marked = begins(first, BYTE_ORDER_MARK)
  const head = first.subarray(marked ? BYTE_ORDER_MARK.length : 0, HEAD_BYTES).toString('utf8')
  const close = async () => {
    await content.return(undefined)
    source.stream.destroy()
  }
  const { name, path, openFile } = source
  return {
    name,
    path,
    openFile,
    head,
    shape: /^\s*[[{]/.test(head) ? shapeOf(head) : new Map(),
    chunks: withoutMark(all, marked),
    close,
  }
}

/** Text in UTF-16, as Windows writes it, as UTF-8. Halves of characters that have no other half become U+FFFD. */
export async function* decodeUtf16(
  chunks: AsyncIterable<Buffer>,
  encoding: 'utf-16le' | 'utf-16be',
): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder(encoding)
  for await (const chunk of chunks) yield Buffer.from(decoder.decode(chunk, { stream: true }))
  yield Buffer.from(decoder.decode())
}
