import { expect, test } from 'vitest'
import { HeldShare } from '../../src/admission/held-share.js'
import { Shares } from '../../src/admission/shares.js'

test('what is held grows and shrinks, and stays as it was when there is no room for more', () => {
  const shares = new Shares({ what: 'bytes', all: 100, ofProject: 60, ofKey: 60 })
  const held = new HeldShare(shares, { project: 'a', key: 'k' })
  held.hold(50)
  held.hold(20)
  expect(shares.taken).toBe(20)
  expect(() => held.hold(61)).toThrow('Too many bytes: the limit is 60 per key')
  expect(shares.taken).toBe(20)
  held.hold(60)
  expect(shares.taken).toBe(60)
  held.hold(0)
  held.hold(0)
  expect(shares.taken).toBe(0)
})
