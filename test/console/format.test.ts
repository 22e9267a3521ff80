import { expect, test } from 'vitest'
import { fixed, percent, signed } from '../../console/look/format.js'

test.each([
  [0, '0 %'],
  [0.002, '0.2 %'],
  [0.0049, '0.5 %'],
  [0.249, '25 %'],
  [1, '100 %'],
  [undefined, '—'],
  [Number.NaN, '—'],
])('a share of %s is %s: of what is rare a decimal is shown', (share, text) => {
  expect(percent(share)).toBe(text)
})

test.each([
  [0.29, 1, '+0.3'],
  [-0.29, 1, '−0.3'],
  [0.001, 2, '0.00'],
  [-0.001, 2, '0.00'],
  [0, 0, '0'],
  [undefined, 2, '—'],
])('a difference of %s to %s decimals is %s: what rounds to nothing has no sign', (value, decimals, text) => {
  expect(signed(value, decimals)).toBe(text)
})

test.each([
  [-0.001, 2, '0.00'],
  [-0.06, 1, '−0.1'],
  [0.04, 1, '0.0'],
  [undefined, 1, '—'],
])('%s to %s decimals is %s: what rounds to nothing has no minus', (value, decimals, text) => {
  expect(fixed(value, decimals)).toBe(text)
})
