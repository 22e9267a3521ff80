import { expect, test } from 'vitest'
import { Chance } from '../../bench/statistics/chance.js'
import { meanInterval } from '../../src/statistics/mean-interval.js'
import { jointLevel, rankIntervals } from '../../src/statistics/rank-intervals.js'

test('a place is below all that lie wholly above, and above all that lie wholly below', () => {
  expect(
    rankIntervals([
      [4.5, 4.7],
      [3.9, 4.4],
      undefined,
      [4.0, 4.3],
      [2, 3],
      // Limits that touch are not apart.
      [3, 3.9],
    ]),
  ).toEqual([[1, 1], [2, 4], undefined, [2, 3], [4, 5], [3, 5]])
})

test('alone there is one place', () => {
  expect(rankIntervals([[1, 2]])).toEqual([[1, 1]])
  expect(rankIntervals([])).toEqual([])
})

test('all true places lie within theirs in at least 95 of 100 teams', () => {
  const chance = new Chance(5)
  const agents = 12
  let held = 0
  const teams = 400
  for (let team = 0; team < teams; team += 1) {
    const truths = Array.from({ length: agents }, () => 3.8 + 0.25 * chance.normal())
    const samples = truths.map(truth => {
      const values = Array.from({ length: 40 }, () => truth + 0.7 * chance.normal())
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length
      const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
      return { count: values.length, mean, squares, deviation: Math.sqrt(squares / (values.length - 1)) }
    })
    const squares = samples.reduce((sum, sample) => sum + sample.squares, 0)
    const pool = { squares, freedom: agents * 39, designEffect: 1 }
    const limits = samples.map(sample =>
      meanInterval(sample, pool, { low: 1, high: 5, prior: 0.8 }, { level: jointLevel(agents) }),
    )
    const places = truths.map(truth => 1 + truths.filter(other => other > truth).length)
    if (rankIntervals(limits).every((range, i) => range![0] <= places[i]! && places[i]! <= range![1])) held += 1
  }
  expect(held / teams).toBeGreaterThanOrEqual(0.95)
})
