import { describe, expect, test } from 'vitest'
import { HeavyAdmission } from '../../src/questions/heavy-admission.js'

const nextTurn = () => new Promise(resolve => setImmediate(resolve))

const patience = { deadlineMs: 10_000 }

/** Answers that end when they are told to. */
function answers() {
  const running: { readonly key: string; readonly end: () => void }[] = []
  const begun: string[] = []
  return {
    /** In the order in which they were let through. */
    begun,
    answer: (key: string) => () =>
      new Promise<string>(resolve => {
        begun.push(key)
        running.push({ key, end: () => resolve(`answer to ${key}`) })
      }),
    end: async (key: string) => {
      const index = running.findIndex(one => one.key === key)
      running.splice(index, 1)[0]!.end()
      // Whoever is next begins in a turn of its own.
      await nextTurn()
    },
  }
}

describe('heavy questions', () => {
  test('run one a key, and a key that asks many waits for itself, not the others for it', async () => {
    const admission = new HeavyAdmission()
    const { begun, answer, end } = answers()
    const asked = ['a', 'a', 'a', 'b', 'b', 'c'].map(key => admission.run(key, patience, answer(key)))
    await nextTurn()
    expect(begun).toEqual(['a', 'b'])
    expect(admission.waiting).toBe(4)
    await end('a')
    // The second of a came before it, but c had none yet.
    expect(begun).toEqual(['a', 'b', 'c'])
    await end('b')
    await end('c')
    expect(begun).toEqual(['a', 'b', 'c', 'a', 'b'])
    for (const key of ['a', 'b', 'a']) await end(key)
    expect(await Promise.all(asked)).toEqual(['a', 'a', 'a', 'b', 'b', 'c'].map(key => `answer to ${key}`))
    expect(admission.waiting).toBe(0)
  })

  test('of one key are refused before they fill the queue for the others', async () => {
    const admission = new HeavyAdmission({ running: 1, waiting: 3, waitingOfOne: 2 })
    const { answer, end } = answers()
    const flood = Array.from({ length: 10 }, () => admission.run('flood', patience, answer('flood')))
    const refused = await Promise.allSettled(flood.slice(3))
    for (const one of refused) {
      expect(one).toMatchObject({
        reason: {
          code: 'busy',
          retryAfter: 2,
          message: '2 heavy questions of this key are waiting already; try again in 2 s',
        },
      })
    }
    const other = admission.run('other', patience, answer('other'))
    await expect(admission.run('third', patience, answer('third'))).rejects.toMatchObject({
      code: 'busy',
      message: '3 heavy questions are waiting already; try again in 2 s',
    })
    for (const key of ['flood', 'flood', 'flood', 'other']) await end(key)
    expect(await other).toBe('answer to other')
    await Promise.all(flood.slice(0, 3))
  })

  test('give their place up when the asker goes away, also while they wait', async () => {
    const admission = new HeavyAdmission({ running: 1, waiting: 4, waitingOfOne: 4 })
    const { begun, answer, end } = answers()
    const first = admission.run('a', patience, answer('a'))
    const leaving = new AbortController()
    const left = admission.run('b', { ...patience, signal: leaving.signal }, answer('b'))
    const third = admission.run('c', patience, answer('c'))
    leaving.abort()
    await expect(left).rejects.toMatchObject({ code: 'cancelled' })
    await expect(admission.run('d', { ...patience, signal: leaving.signal }, answer('d'))).rejects.toMatchObject({
      code: 'cancelled',
    })
    await end('a')
    expect(begun).toEqual(['a', 'c'])
    await end('c')
    await Promise.all([first, third])
  })

  test('that wait until their time is over are refused, and their place goes on', async () => {
    const admission = new HeavyAdmission({ running: 1, waiting: 4, waitingOfOne: 4 })
    const { answer, end } = answers()
    const first = admission.run('a', patience, answer('a'))
    await expect(admission.run('b', { deadlineMs: 5 }, answer('b'))).rejects.toMatchObject({
      code: 'deadline_exceeded',
    })
    expect(admission.waiting).toBe(0)
    await end('a')
    await first
  })

  test('that fail give their place back', async () => {
    const admission = new HeavyAdmission({ running: 1, waiting: 4, waitingOfOne: 4 })
    await expect(admission.run('a', patience, () => Promise.reject(new Error('x')))).rejects.toThrow('x')
    expect(await admission.run('a', patience, () => Promise.resolve('again'))).toBe('again')
  })
})
