import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import type { PreparedCall } from '../../src/store/store.js'
import { endLine, type ImportFrame, readFrames, writeLines } from '../../src/operations/import-frames.js'

const call = (id: string, more = '') => ({
  session_id: id,
  agent_id: 'sam-lee',
  agent_name: 'Sam "the voice" Lee',
  json: `{"session_id":"${id}","title":"é${more}"}`,
})
const limits = { recordBytes: 10_000, writeBytes: 20_000 }

async function read(text: string, chunk = 64 * 1024): Promise<readonly ImportFrame[]> {
  const bytes = Buffer.from(text)
  const chunks: Buffer[] = []
  for (let at = 0; at < bytes.length; at += chunk) chunks.push(bytes.subarray(at, at + chunk))
  const frames: ImportFrame[] = []
  for await (const frame of readFrames(Readable.from(chunks, { objectMode: true }), limits)) {
    // Records arrive as bytes.
    const asText = (one: PreparedCall): PreparedCall => ({ ...one, json: Buffer.from(one.json).toString() })
    frames.push('calls' in frame ? { calls: frame.calls.map(asText) } : frame)
  }
  return frames
}

describe('an import on its way to the server', () => {
  const end = { stored: 3, duplicates: 0, rejected: 1 }
  const text = [...writeLines([call('a'), call('b')]), ...writeLines([call('c')]), endLine(end)].join('')

  test.each([1, 7, 64 * 1024])('arrives as it was sent, cut anywhere (every %d bytes)', async chunk => {
    expect(await read(text, chunk)).toEqual([{ calls: [call('a'), call('b')] }, { calls: [call('c')] }, { end }])
  })

  test.each([
    ['stops before its end', [...writeLines([call('a')])].join(''), 'The import broke off before its end'],
    ['lost a call', [...writeLines([call('a'), call('b')])].slice(3).join(''), 'Calls of this import were lost'],
    ['is no import', '{"calls":[]}\n', 'This is not what "earshot import" sends'],
    ['is not even JSON', 'hello\n', 'This is not what "earshot import" sends'],
    ['holds a record too large', `["a","b","c"]\n${'x'.repeat(90_000)}`, 'A record is larger than 10000 bytes'],
    [
      'writes too much at once',
      [call('a', 'x'.repeat(9_000)), call('b', 'x'.repeat(9_000)), call('c', 'x'.repeat(9_000))]
        .flatMap(one => [...writeLines([one])].slice(0, 3))
        .join(''),
      'One write of an import holds more than 20000 bytes',
    ],
  ])('that %s is refused in words', async (_, sent, said) => {
    await expect(read(sent)).rejects.toThrow(said)
  })
})
