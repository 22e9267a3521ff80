import { expect, test } from 'vitest'
import { fixed, moment, percent, signed } from '../../console/look/format.js'

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

test.each([
  ['2026-12-31T22:30:00Z', '31 Dec, 22:30', '1 Jan, 00:30'],
  ['2025-11-21T15:41:00Z', '21 Nov 2025, 15:41', '21 Nov 2025, 17:41'],
  ['2026-12-31T21:59:00Z', '31 Dec, 21:59', '31 Dec 2026, 23:59'],
  [undefined, '—', '—'],
])('%s is %s in this year, and in a zone where another has begun %s', (at, here, there) => {
  const now = new Date('2026-12-31T22:45:00Z')
  expect(moment(at, 'UTC', now)).toBe(here)
  expect(moment(at, 'Africa/Cairo', now)).toBe(there)
})
