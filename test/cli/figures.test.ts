import { expect, test } from 'vitest'
import { bar, clock, duration, localTime, percent, signed, sparkline } from '../../src/cli/figures.js'

test('a share is a bar: what is more than nothing shows, what is all fills it', () => {
  expect([0, 0.0001, 0.5, 0.55, 1, 2].map(share => bar(share, 4))).toEqual(['', '▏', '██', '██▎', '████', '████'])
})

test('values are a line of columns, on their own scale or on a common one', () => {
  expect(sparkline([1, 2, undefined, 8])).toBe('▁▂ █')
  expect(sparkline([8, 8])).toBe('▄▄')
  expect(sparkline([8, 10], 0)).toBe('▇█')
  expect(sparkline([3, 4], 1, 5)).toBe('▅▇')
  expect(sparkline([])).toBe('')
})

test('numbers are as people read them', () => {
  expect([0, 0.0033, 0.27, 1, undefined].map(percent)).toEqual(['0 %', '0.3 %', '27 %', '100 %', '–'])
  expect([0.123, -0.5, -0.001].map(value => signed(value))).toEqual(['+0.12', '−0.50', '0.00'])
  expect([59.6, 86.6, 3_725, undefined].map(clock)).toEqual(['1:00', '1:27', '1:02:05', '–'])
  expect([5, 86.6, 3_725].map(duration)).toEqual(['5 s', '1 min 27 s', '1 h 2 min'])
})

test('times are of a zone', () => {
  expect(localTime('2026-03-29T01:30:00.000Z', 'Europe/Berlin')).toBe('2026-03-29 03:30')
  expect(localTime('2026-03-01T00:00:00.000Z', 'UTC')).toBe('2026-03-01 00:00')
})
