import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { unzstd } from '../../src/ingest/unzstd.js'
import { importingFiles } from '../support/importing-files.js'

/** Two frames made by the zstd command, one at its default level and one at -19, each with a checksum. */
const zstd = Buffer.from(
  'KLUv/SR0nQIAAoURGIDFbVOQwe5Fq0WCYgaQdq4nKMRkSGAKA0HgwjJbevXvSCIeAx4CT4EQPd8qqW3dJvmd2Xh+GeXUvIr+rs+rlZit1rYdEAMAuyBVLQ4U3BlrFc86KLUv/QRohQIAQkUREZB9djQQahAE/kUnmiki8wkdoH+QF396WTfdL54lQlYh45CBDDGffscW5XYywxd/r/r00rrb9pXTvfj36SNtF1OtpX4eAgDesIGCMwOnVGF4',
  'base64',
)

/** The head of a frame with a window of 2 MiB. */
const FRAME = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58])

/** The head of a frame whose window is all that it says it holds: 7 MiB. */
const SEVEN_MIB = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0, 0, 0x70, 0])

/** A block of one byte many times, in 4 bytes. */
function repeated(bytes: number): Buffer {
  const block = Buffer.alloc(4, 0x20)
  block.writeUIntLE((bytes << 3) | 2, 0, 3)
  return block
}

/** A frame of such blocks: 128 KiB of output for 4 bytes of input. */
function bomb(blocks: number, head = FRAME, bytes = 131_072): Buffer {
  return Buffer.concat([head, ...Array.from({ length: blocks }, () => repeated(bytes))])
}

async function all(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of chunks) parts.push(part)
  return Buffer.concat(parts)
}

/** The beginning of a ZIP archive whose first file has that name. */
function zipOf(name: string): Buffer {
  const header = Buffer.alloc(30)
  header.write('PK\u0003\u0004', 'latin1')
  header.writeUInt16LE(name.length, 26)
  return Buffer.concat([header, Buffer.from(name), Buffer.alloc(200, 7)])
}

describe('inputs that import does not read', () => {
  it.each([
    ['an archive', zipOf('calls.ndjson'), 'is a ZIP archive: unpack it first'],
    ['a workbook', zipOf('[Content_Types].xml'), 'is a document of Excel, Word or the like: save it as CSV UTF-8'],
    ['another', zipOf('docProps/app.xml'), 'is a document of Excel, Word or the like: save it as CSV UTF-8'],
    [
      'gzip in gzip',
      gzipSync(gzipSync('{"session_id":"a"}')),
      'is compressed with gzip twice: decompress it once first',
    ],
  ])('say what to do, also in a folder: %s', async (_, content, message) => {
    const { errors } = await importingFiles({ 'calls.ndjson': content })
    expect(errors).toEqual([expect.stringContaining(message)])
  })
})

describe('compressed inputs', () => {
  it('are read from zstd, several frames too', async () => {
    const { store, errors } = await importingFiles({ 'calls.ndjson.zst': zstd })
    expect(errors).toEqual([])
    expect(store.ids).toEqual(['a', 'b'])
    expect(store.record('a').title).toBe('one one one one one one one one')
  })

  it.each([
    ['cut off', zstd.subarray(0, 60), /ends in the middle of its compressed data: the file was cut off$/],
    ['damaged', Buffer.from(zstd).fill(0xaa, 12, 16), /holds damaged compressed data from here on$/],
    [
      'of a window too large',
      Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xa0]), Buffer.alloc(50)]),
      /window of more than 8 MiB/,
    ],
    [
      'of a window too large, for all that they say they hold',
      Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0, 0, 0, 0x08]), Buffer.alloc(50)]),
      /window of more than 8 MiB/,
    ],
    [
      'of a window too large, in a later frame',
      Buffer.concat([zstd, Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xa0]), Buffer.alloc(50)]),
      /window of more than 8 MiB/,
    ],
    ['of blocks longer than there are', bomb(4, FRAME, 131_073), /holds damaged compressed data from here on$/],
    ['of blocks of a byte', bomb(1_000, SEVEN_MIB, 1), /blocks that hold too little/],
  ])('that are %s are reported', async (_, content, message) => {
    const { errors } = await importingFiles({ 'calls.ndjson.zst': content })
    expect(errors.join()).toMatch(message)
  })

  it('are the same in pieces of a byte, with frames between that hold nothing', async () => {
    const skipped = Buffer.from([0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3])
    async function* bytes(): AsyncGenerator<Buffer> {
      for (const byte of Buffer.concat([skipped, zstd, skipped, zstd])) yield await Promise.resolve(Buffer.from([byte]))
    }
    const [first, second, ...more] = (await all(unzstd(bytes()))).toString().trim().split('\n')
    expect([first, second].map(line => JSON.parse(line ?? '') as object)).toMatchObject([
      { session_id: 'a' },
      { session_id: 'b' },
    ])
    expect(more).toEqual([first, second])
  })

  it('let others have their turn, however many blocks come at once', async () => {
    async function* chunks(): AsyncGenerator<Buffer> {
      yield await Promise.resolve(bomb(64, SEVEN_MIB))
    }
    let turns = 0
    const others = setInterval(() => (turns += 1), 0)
    await expect(all(unzstd(chunks()))).rejects.toThrow('cut off')
    clearInterval(others)
    expect(turns).toBeGreaterThan(8)
  })

  it('stop at the limit of an input, however little holds them', async () => {
    const importing = importingFiles({ 'calls.ndjson.zst': bomb(400) }, { maxInputBytes: 5_000_000 })
    await expect(importing).rejects.toMatchObject({ code: 'too_large' })
  })
})
