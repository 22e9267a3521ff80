import { expect, test } from 'vitest'
import { otherWork } from '../../src/base/other-work.js'

test('of all long work one piece is done in a turn of the loop, by whoever waited longest', async () => {
  let turn = 0
  const count = (): void => {
    turn += 1
    counting = setImmediate(count)
  }
  let counting = setImmediate(count)
  const pieces: { readonly work: number; readonly turn: number }[] = []
  const long = Array.from({ length: 10 }, async (_, work) => {
    for (let i = 0; i < 5; i += 1) {
      await otherWork()
      pieces.push({ work, turn })
    }
  })
  await Promise.all(long)
  clearImmediate(counting)
  expect(new Set(pieces.map(piece => piece.turn)).size).toBe(50)
  expect(pieces.slice(0, 10).map(({ work }) => work)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
})
