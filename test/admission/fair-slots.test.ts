import { describe, expect, test } from 'vitest'
import { FairSlots, type FairSlotsLimits } from '../../src/admission/fair-slots.js'
import { Problem } from '../../src/base/problem.js'
import type { Requester } from '../../src/admission/requester.js'

const nextTurn = () => new Promise(resolve => setImmediate(resolve))

const patience = { deadlineMs: 10_000 }

/** `a1`: key 1 of project a. */
const requester = (name: string): Requester => ({ project: name.slice(0, 1), key: name })

const slotsOf = (limits: Partial<FairSlotsLimits>) =>
  new FairSlots({ what: 'heavy questions', places: 2, waitingOfKey: 8, waitingOfProject: 64, ...limits })

/** Work that ends when it is told to. */
function works() {
  const running: { readonly name: string; readonly end: () => void }[] = []
  const begun: string[] = []
  return {
    /** In the order in which they were let through. */
    begun,
    work: (name: string) => () =>
      new Promise<string>(resolve => {
        begun.push(name)
        running.push({ name, end: () => resolve(`answer to ${name}`) })
      }),
    end: async (name: string) => {
      const index = running.findIndex(one => one.name === name)
      running.splice(index, 1)[0]!.end()
      // Whoever is next begins in a turn of its own.
      await nextTurn()
    },
    endAll: async () => {
      for (let one = running.shift(); one !== undefined; one = running.shift()) {
        one.end()
        // oxlint-disable-next-line no-await-in-loop -- who is next is known then
        await nextTurn()
      }
    },
  }
}

describe('fair slots', () => {
  test('run one a key where one is allowed, and a key that asks much waits for itself, not the others for it', async () => {
    const slots = slotsOf({ places: 2, kept: 0, placesOfKey: 1 })
    const { begun, work, end } = works()
    const asked = ['p1', 'p1', 'p1', 'p2', 'p2', 'p3'].map(name => slots.run(requester(name), patience, work(name)))
    await nextTurn()
    expect(begun).toEqual(['p1', 'p2'])
    expect(slots.load).toEqual({ running: 2, waiting: 4 })
    await end('p1')
    // The second of key 1 came before it, but key 3 had none yet.
    expect(begun).toEqual(['p1', 'p2', 'p3'])
    await end('p2')
    await end('p3')
    expect(begun).toEqual(['p1', 'p2', 'p3', 'p1', 'p2'])
    for (const name of ['p1', 'p2', 'p1']) await end(name)
    expect(await Promise.all(asked)).toEqual(['p1', 'p1', 'p1', 'p2', 'p2', 'p3'].map(name => `answer to ${name}`))
    expect(slots.load).toEqual({ running: 0, waiting: 0 })
  })

  test('keep places of a project for those of its keys that have none', async () => {
    const slots = slotsOf({ places: 8, placesOfProject: 4, keptOfProject: 2 })
    const { begun, work, endAll } = works()
    const asked = ['p1', 'p1', 'p1', 'p2', 'p3', 'q1'].map(name => slots.run(requester(name), patience, work(name)))
    await nextTurn()
    expect(begun).toEqual(['p1', 'p1', 'p2', 'p3', 'q1'])
    await endAll()
    await Promise.all(asked)
    expect(begun.at(-1)).toBe('p1')
  })

  test('take turns by project before they do by key: ten keys of one get no more than one key of another', async () => {
    const slots = slotsOf({ places: 1 })
    const { begun, work, endAll } = works()
    const first = slots.run(requester('z1'), patience, work('z1'))
    const many = Array.from({ length: 10 }, (_, index) => `a${index}`)
    const asked = [...many, 'b1', 'b1', 'b1'].map(name => slots.run(requester(name), patience, work(name)))
    await nextTurn()
    await endAll()
    await Promise.all([first, ...asked])
    expect(begun.slice(0, 8)).toEqual(['z1', 'a0', 'b1', 'a1', 'b1', 'a2', 'b1', 'a3'])
  })

  test('keep the last place for a project that has none', async () => {
    const slots = slotsOf({ places: 3 })
    const { begun, work, end, endAll } = works()
    const asked = ['a1', 'a2', 'a3', 'a4'].map(name => slots.run(requester(name), patience, work(name)))
    await nextTurn()
    expect(begun).toEqual(['a1', 'a2'])
    asked.push(slots.run(requester('b1'), patience, work('b1')), slots.run(requester('b2'), patience, work('b2')))
    await nextTurn()
    expect(begun).toEqual(['a1', 'a2', 'b1'])
    // One is free, but a and b have one each.
    await end('a1')
    expect(begun).toEqual(['a1', 'a2', 'b1'])
    asked.push(slots.run(requester('c1'), patience, work('c1')))
    await nextTurn()
    expect(begun).toEqual(['a1', 'a2', 'b1', 'c1'])
    await endAll()
    await Promise.all(asked)
  })

  test('of one key, and of one project, are refused from one too many on, whatever others have waiting', async () => {
    const slots = slotsOf({ places: 1, waitingOfKey: 2, waitingOfProject: 3 })
    const { work, endAll } = works()
    const ask = (name: string) => slots.run(requester(name), patience, work(name))
    const flood = Array.from({ length: 10 }, () => ask('a1'))
    for (const one of await Promise.allSettled(flood.slice(3))) {
      expect(one).toMatchObject({
        reason: {
          code: 'busy',
          retryAfter: 2,
          message: '2 heavy questions of this key are waiting already; try again in 2 s',
        },
      })
    }
    const other = ask('a2')
    await expect(ask('a3')).rejects.toMatchObject({
      code: 'busy',
      message: '3 heavy questions of this project are waiting already; try again in 2 s',
    })
    const strangers = ['b1', 'b1', 'b2', 'c1', 'c1', 'd1'].map(ask)
    await nextTurn()
    expect(slots.load).toEqual({ running: 1, waiting: 9 })
    await endAll()
    await Promise.all([...flood.slice(0, 3), other, ...strangers])
  })

  test.each([
    ['goes away', undefined, 'cancelled'],
    ['may hear nothing any more', new Problem('unauthenticated', 'Invalid or inactive API key'), 'unauthenticated'],
  ])('who %s gives the place up, also while waiting', async (_, reason, code) => {
    const slots = slotsOf({ places: 1 })
    const { begun, work, end } = works()
    const first = slots.run(requester('a'), patience, work('a'))
    const leaving = new AbortController()
    const left = slots.run(requester('b'), { ...patience, signal: leaving.signal }, work('b'))
    const third = slots.run(requester('c'), patience, work('c'))
    leaving.abort(reason)
    await expect(left).rejects.toMatchObject({ code })
    await expect(slots.run(requester('d'), { ...patience, signal: leaving.signal }, work('d'))).rejects.toMatchObject({
      code,
    })
    await end('a')
    expect(begun).toEqual(['a', 'c'])
    await end('c')
    await Promise.all([first, third])
  })

  test('who waits until the time is over is refused, and the place goes on', async () => {
    const slots = slotsOf({ places: 1 })
    const { work, end } = works()
    const first = slots.run(requester('a'), {}, work('a'))
    await expect(slots.run(requester('b'), { deadlineMs: 5 }, work('b'))).rejects.toMatchObject({
      code: 'deadline_exceeded',
      message: 'It waited for earlier heavy questions until its time was over',
    })
    expect(slots.load).toEqual({ running: 1, waiting: 0 })
    await end('a')
    await first
  })

  test('work that fails gives its place back', async () => {
    const slots = slotsOf({ places: 1 })
    await expect(slots.run(requester('a'), patience, () => Promise.reject(new Error('x')))).rejects.toThrow('x')
    expect(await slots.run(requester('a'), patience, () => Promise.resolve('again'))).toBe('again')
  })

  test('a place that is given back twice is free once', async () => {
    const slots = slotsOf({ places: 2, kept: 0 })
    const [first] = await Promise.all([slots.take(requester('a1'), {}), slots.take(requester('a1'), {})])
    first()
    first()
    expect(slots.load).toEqual({ running: 1, waiting: 0 })
  })
})
