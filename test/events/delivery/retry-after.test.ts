import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { retryAfter } from '../../../src/events/delivery/dispatcher.js'

test('pauses double up to four hours', () => {
  const pauses = Array.from({ length: 16 }, (_, n) => retryAfter(n + 1, 5_000, 0.5) / 1000)
  expect(pauses).toEqual([
    5, 10, 20, 40, 80, 160, 320, 640, 1_280, 2_560, 5_120, 10_240, 14_400, 14_400, 14_400, 14_400,
  ])
})

test('each is off by a fifth at most, and never negative or without end', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10_000 }), fc.double({ min: 0, max: 1, noNaN: true }), (attempts, chance) => {
      const pause = retryAfter(attempts, 5_000, chance)
      const middle = retryAfter(attempts, 5_000, 0.5)
      expect(pause).toBeGreaterThanOrEqual(Math.floor(middle * 0.8))
      expect(pause).toBeLessThanOrEqual(Math.ceil(middle * 1.2))
    }),
  )
})
