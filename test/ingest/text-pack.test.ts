import { expect, it } from 'vitest'
import { TextPack } from '../../src/ingest/text-pack.js'

const texts = ['plain', '', 'größer 🎧 日本', '\u0001\n', 'x'.repeat(600_000), 'é'.repeat(900_000), 'last']

it('gives back every text as it was, however long, and is empty then', () => {
  const pack = new TextPack()
  for (const round of [1, 2]) {
    const packed = texts.map(text => pack.add(text))
    const bytes = pack.take()
    expect(packed.map(({ start, end }) => Buffer.from(bytes.subarray(start, end)).toString())).toEqual(texts)
    expect([round, bytes.length]).toEqual([round, Buffer.byteLength(texts.join(''))])
  }
  expect(pack.take()).toHaveLength(0)
})

it('forgets what was not taken', () => {
  const pack = new TextPack()
  pack.add('of a task that failed')
  pack.clear()
  expect(pack.add('next')).toEqual({ start: 0, end: 4 })
})
