import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Asker } from '../../src/questions/asker.js'
import { oneCall } from '../../src/questions/one-call.js'

/** Someone whose look for a call takes so many milliseconds and finds this. */
function asker(ms: number, found: object[]): Asker {
  const ask = async () => {
    await setTimeout(ms)
    return found
  }
  return { show: ask } as unknown as Asker
}

test('a call that is there is given at once, in the shape asked for', async () => {
  expect(await oneCall(asker(0, [{ session_id: 'a' }]), 'a', { $project: { session_id: 1 } })).toEqual({
    session_id: 'a',
  })
})

// The engine looks a little longer at a call that is there and out of scope: both are told at the same beat.
test.each([
  [0, 25],
  [12, 25],
  [30, 50],
])('one that is not found after %i ms is told so no earlier than after %i ms', async (looked, told) => {
  const began = performance.now()
  await expect(oneCall(asker(looked, []), 'x', { $project: {} })).rejects.toThrow('Call not found: x')
  expect(performance.now() - began).toBeGreaterThanOrEqual(told)
})
