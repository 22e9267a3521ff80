import { expect, it } from 'vitest'
import { isReusable, TextPack } from '../../src/ingest/text-pack.js'

const texts = ['plain', '', 'größer 🎧 日本', '\u0001\n', 'x'.repeat(600_000), 'é'.repeat(900_000), 'last']

/** What a pack made of the texts, read from its memory. */
function packed(pack: TextPack, given: readonly string[]): readonly string[] {
  const places = given.map(text => pack.add(text))
  return places.map(({ start, end }) => Buffer.from(pack.memory, start, end - start).toString())
}

it('holds every text as it was, however long', () => {
  expect(packed(new TextPack(), texts)).toEqual(texts)
})

it('writes to memory it is given, whatever that held, and takes more when it is too small', () => {
  const memory = new Uint8Array(20).fill(0xff).buffer
  const pack = new TextPack(memory)
  expect(packed(pack, ['größer', 'exactly 12 b'])).toEqual(['größer', 'exactly 12 b'])
  expect(pack.memory).toBe(memory)
  expect(packed(new TextPack(memory), texts)).toEqual(texts)
})

it('is in memory to be used again as long as it is small', () => {
  const pack = new TextPack()
  const texts = Array.from({ length: 1_000 }, (_, at) => `${at}`.repeat(400))
  expect(packed(pack, texts)).toEqual(texts)
  expect(isReusable(pack.memory)).toBe(true)
  pack.add('x'.repeat(6_000_000))
  expect(isReusable(pack.memory)).toBe(false)
})
