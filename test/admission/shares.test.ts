import { describe, expect, test } from 'vitest'
import type { Requester } from '../../src/admission/requester.js'
import { Shares } from '../../src/admission/shares.js'

/** `a1`: key 1 of project a. */
const requester = (name: string): Requester => ({ project: name.slice(0, 1), key: name })

describe('shares', () => {
  test('are bounded for a key and for a project, whatever is free', () => {
    const shares = new Shares({ what: 'open sessions', all: 100, ofProject: 3, ofKey: 2, retryAfterSeconds: 30 })
    shares.take(requester('a1'))
    const second = shares.take(requester('a1'))
    expect(() => shares.take(requester('a1'))).toThrow(
      expect.objectContaining({
        code: 'too_many_requests',
        message: 'Too many open sessions: the limit is 2 per key',
        retryAfter: 30,
      }),
    )
    shares.take(requester('a2'))
    expect(() => shares.take(requester('a3'))).toThrow('Too many open sessions: the limit is 3 per project')
    second.release()
    shares.take(requester('a3'))
    expect(shares.taken).toBe(3)
  })

  test('are never refused to a project that has none, and its first is not what others may take', () => {
    const shares = new Shares({ what: 'bytes', all: 100, ofProject: 60, ofKey: 60, kept: 20, first: 10 })
    shares.take(requester('a1'), 60)
    // Of the last 20 nobody who has some takes any.
    const second = shares.take(requester('b1'), 15)
    expect(() => second.more(10)).toThrow(
      expect.objectContaining({
        code: 'busy',
        message: 'Too many bytes on this server: the limit is 100',
        retryAfter: 2,
      }),
    )
    shares.take(requester('c1'), 25)
    expect(shares.taken).toBe(100)
    expect(() => shares.take(requester('d1'), 11)).toThrow('the limit is 100')
    shares.take(requester('d1'), 4)
    const small = shares.take(requester('d2'), 6)
    expect(() => small.more(1)).toThrow('the limit is 100')
    expect(shares.taken).toBe(110)
  })

  test('are all back when they were released, those that grew and those that were released twice', () => {
    const shares = new Shares({ what: 'bytes', all: 100, ofProject: 100, ofKey: 100 })
    const first = shares.take(requester('a1'), 10)
    const second = shares.take(requester('a1'), 0)
    second.more(20)
    expect(() => second.more(80)).toThrow('the limit is 100 per key')
    expect(shares.taken).toBe(30)
    second.release()
    second.release()
    expect(shares.taken).toBe(10)
    first.release()
    expect(shares.taken).toBe(0)
    shares.take(requester('b1'), 100)
  })
})
