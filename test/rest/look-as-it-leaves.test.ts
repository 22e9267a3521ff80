import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { checkedPieces } from '../../src/rest/look-as-it-leaves.js'

test('pieces are given while they may be had, and the source ends with the first that may not', async () => {
  const source = Readable.from(['one', 'two', 'three'], { objectMode: true, highWaterMark: 1 })
  let left = 2
  const check = () => {
    left -= 1
    if (left < 0) throw new Error('not any more')
  }
  const had: string[] = []
  const read = async () => {
    for await (const piece of checkedPieces(source, check)) had.push(String(piece))
  }
  await expect(read()).rejects.toThrow('not any more')
  expect(had).toEqual(['one', 'two'])
  expect(source.destroyed).toBe(true)
})

test('a source that nobody begins to read ends too', async () => {
  const source = Readable.from(['one'])
  const pieces = checkedPieces(source, () => undefined)
  await new Promise(resolve => pieces.once('close', resolve).destroy())
  expect(source.destroyed).toBe(true)
})
