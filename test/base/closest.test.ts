import { expect, test } from 'vitest'
import { closest } from '../../src/base/closest.js'

test.each([
  ['Benedikt', ['Benedict', 'Ana'], 'Benedict'],
  ['agent', ['agent_name', 'agents'], 'agents'],
  ['to', ['do'], 'do'],
  // Names so short that nothing of the one is in the other.
  ['a1', ['李雷'], undefined],
  ['a1', ['b2', 'a3'], 'a3'],
  ['zebra', ['Ana', 'Ben'], undefined],
])('%s among %j', (written, accepted, near) => {
  expect(closest(written, accepted)).toBe(near)
})
