import { expect, it } from 'vitest'
import { interpolated } from '../../src/statistics/interpolated.js'

/** What is wanted of it: sums over many agents that hang on a usual spread. */
function sumsAt(logarithm: number): Float64Array {
  const spread = Math.exp(logarithm)
  let [sum, mean, total] = [0, 0, 0]
  for (let agent = 0; agent < 1_000; agent += 1) {
    const [variance, scale, difference] = [1 / (1 + (agent % 97)), 0.3 + (agent % 7), Math.sin(agent)]
    const precision = 1 / (variance + spread * scale)
    sum += difference ** 2 * precision
    mean += difference * precision
    total += precision
  }
  return Float64Array.of(sum, mean / total, total)
}

it.each([
  { from: 0.08, until: 0.12, digits: 12 },
  { from: 0.01, until: 0.03, digits: 11 },
  { from: 0.0001, until: 0.05, digits: 3 },
])('of spreads from $from to $until sums over agents come back to $digits digits', ({ from, until, digits }) => {
  const [low, high] = [Math.log(from), Math.log(until)]
  const at = interpolated(low, high, sumsAt)
  for (let i = 0; i <= 200; i += 1) {
    const place = low + ((high - low) * i) / 200
    const [found, exact] = [at(place), sumsAt(place)]
    for (const [j, value] of exact.entries()) expect(Math.abs(found[j]! / value - 1)).toBeLessThan(10 ** -digits)
  }
})

it('of one place alone is what is known there', () => {
  expect(interpolated(0.2, 0.2, sumsAt)(0.2)).toEqual(sumsAt(0.2))
})
