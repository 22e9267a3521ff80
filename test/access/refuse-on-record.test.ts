import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { refuseOnRecord } from '../../src/access/refuse-on-record.js'
import { Problem, type ProblemCode } from '../../src/base/problem.js'
import { caller } from '../support/asking.js'
import { KeptTrail } from '../support/kept-trail.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const asked = { page: 'search_calls', requestId: 'r', transport: 'mcp' } as const
const who = (credential_id: string) => ({ ...caller(), credential_id })

/** Refuses somebody so many times. */
async function refuse(trail: KeptTrail, times: number, code: ProblemCode, key = 'key_1') {
  for (let n = 0; n < times; n += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other, as they come
    await expect(refuseOnRecord(trail, new Problem(code, 'no'), who(key), asked)).rejects.toThrow('no')
  }
}

const told = ({ events }: KeptTrail) => events.map(({ credential_id: id, page, rows }) => [id, page, rows])

test('a thousand refusals over a rate are two lines: the first, and how many more came within a minute', async () => {
  const trail = new KeptTrail()
  await refuse(trail, 1_000, 'too_many_requests')
  await refuse(trail, 1, 'too_many_requests', 'key_2')
  expect(told(trail)).toEqual([
    ['key_1', 'search_calls', undefined],
    ['key_2', 'search_calls', undefined],
  ])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(told(trail).slice(2)).toEqual([['key_1', 'refused over the rate', 999]])
  expect(trail.events[2]).toMatchObject({ outcome: 'refused', code: 'too_many_requests', status: 429 })
  // And the minute after begins anew.
  await refuse(trail, 2, 'too_many_requests')
  expect(trail.events).toHaveLength(4)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(trail.events[4]?.rows).toBe(1)
})

test('every other refusal has its own line', async () => {
  const trail = new KeptTrail()
  await refuse(trail, 3, 'forbidden')
  expect(trail.events).toHaveLength(3)
})

test('the same key id in two projects is two', async () => {
  const trail = new KeptTrail()
  for (const project of ['p', 'q']) {
    const refusal = refuseOnRecord(trail, new Problem('too_many_requests', 'no'), caller({}, project), asked)
    // oxlint-disable-next-line no-await-in-loop -- two
    await expect(refusal).rejects.toThrow('no')
  }
  expect(trail.events).toHaveLength(2)
})
