import { setMaxListeners } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { LoopTurns, strangerAt } from '../../src/admission/loop-turns.js'

/** The order in which requests had their turns, each named by its project, key and number. */
function order(turns: LoopTurns) {
  const begun: string[] = []
  const ask = (project: string, key: string, signal = new AbortController().signal) =>
    turns.next({ project, key }, signal).then(() => begun.push(`${project} ${key}`))
  return { begun, ask }
}

describe('strangers', () => {
  test('are told apart by their address, in few groups however many addresses there are', () => {
    expect(strangerAt('192.0.2.1')).not.toEqual(strangerAt('192.0.2.2'))
    const keys = Array.from({ length: 10_000 }, (_, i) => strangerAt(`2001:db8::${i.toString(16)}`).key)
    expect(new Set(keys).size).toBeLessThanOrEqual(64)
  })
})

describe('turns of the event loop', () => {
  test('who asks alone is not kept waiting', async () => {
    const { begun, ask } = order(new LoopTurns())
    const asked = ask('a', 'k')
    // Promises alone: no turn of the loop has passed.
    for (let i = 0; i < 10; i += 1) await Promise.resolve()
    expect(begun).toEqual(['a k'])
    await asked
  })

  test("another project's request goes next, whatever waits of the first", async () => {
    const { begun, ask } = order(new LoopTurns())
    const all = Array.from({ length: 1_000 }, (_, i) => ask('loud', `k${i % 10}`))
    await setImmediate()
    const before = begun.length
    await ask('quiet', 'k')
    expect(begun.indexOf('quiet k') - before).toBeLessThanOrEqual(1)
    await Promise.all(all)
    expect(begun).toHaveLength(1_001)
  })

  test('within a project its keys take turns', async () => {
    const { begun, ask } = order(new LoopTurns())
    const all = Array.from({ length: 100 }, () => ask('p', 'loud'))
    await setImmediate()
    const before = begun.length
    await ask('p', 'quiet')
    expect(begun.indexOf('p quiet') - before).toBeLessThanOrEqual(1)
    await Promise.all(all)
  })

  test('one begins in each turn of the loop', async () => {
    const { begun, ask } = order(new LoopTurns())
    const all = Array.from({ length: 20 }, () => ask('p', 'k'))
    for (let turn = 0; turn < 5; turn += 1) {
      const before = begun.length
      await setImmediate()
      expect(begun.length - before).toBeLessThanOrEqual(1)
    }
    await Promise.all(all)
  })

  test('who leaves takes no turn from anybody, and is not left hanging', async () => {
    const { begun, ask } = order(new LoopTurns())
    const left = new AbortController()
    const first = ask('p', 'first')
    setMaxListeners(0, left.signal)
    const leaving = Array.from({ length: 500 }, () => ask('p', 'gone', left.signal))
    const last = ask('p', 'last')
    left.abort()
    await Promise.all(leaving)
    await Promise.all([first, last])
    expect(begun.at(-1)).toBe('p last')
    const after = ask('p', 'gone', left.signal)
    await after
    expect(begun).toHaveLength(503)
  })
})
