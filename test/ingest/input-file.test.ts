import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { importingFiles } from '../support/importing-files.js'

/** Two frames made by the zstd command, one at its default level and one at -19, each with a checksum. */
const zstd = Buffer.from(
  'KLUv/SR0nQIAAoURGIDFbVOQwe5Fq0WCYgaQdq4nKMRkSGAKA0HgwjJbevXvSCIeAx4CT4EQPd8qqW3dJvmd2Xh+GeXUvIr+rs+rlZit1rYdEAMAuyBVLQ4U3BlrFc86KLUv/QRohQIAQkUREZB9djQQahAE/kUnmiki8wkdoH+QF396WTfdL54lQlYh45CBDDGffscW5XYywxd/r/r00rrb9pXTvfj36SNtF1OtpX4eAgDesIGCMwOnVGF4',
  'base64',
)

/** A frame of stored blocks of one byte many times: 128 KiB of output for 4 bytes of input. */
function bomb(blocks: number): Buffer {
  const block = Buffer.from([((131_072 << 3) & 0xff) | 2, ((131_072 << 3) >> 8) & 0xff, (131_072 << 3) >> 16, 0x20])
  return Buffer.concat([
    Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58]),
    ...Array.from({ length: blocks }, () => block),
  ])
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
      /window of more than 128 MiB/,
    ],
  ])('that are %s are reported', async (_, content, message) => {
    const { errors } = await importingFiles({ 'calls.ndjson.zst': content })
    expect(errors.join()).toMatch(message)
  })

  it('stop at the limit of an input, however little holds them', async () => {
    const importing = importingFiles({ 'calls.ndjson.zst': bomb(400) }, { maxInputBytes: 5_000_000 })
    await expect(importing).rejects.toMatchObject({ code: 'too_large' })
  })
})
