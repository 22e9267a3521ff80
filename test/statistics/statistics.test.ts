import { describe, expect, test } from 'vitest'
import { benjaminiHochberg } from '../../src/statistics/benjamini-hochberg.js'
import { compareMeans } from '../../src/questions/statistics/compare-means.js'
import { compareShares } from '../../src/questions/statistics/compare-shares.js'
import { meanInterval, shareInterval } from '../../src/statistics/mean-interval.js'

// The expected values are R's: t.test, fisher.test, prop.test(correct = FALSE), p.adjust(method = "BH").

describe('the interval of a mean', () => {
  const scores = [1, 5] as const
  /** Of a project of agents with 60 earlier calls each. */
  const pool = { squares: 352.8, freedom: 720, designEffect: 1 }

  test('leans on what is known of the spread of others', () => {
    // (30 x (352.8 + 2 x 0.64) / 722 + 4 x 2.5) / 34 is 0.72684; qt(0.975, 34) is 2.032245
    const [low, high] = meanInterval({ count: 5, mean: 3, deviation: Math.sqrt(2.5) }, pool, scores)!
    expect(low).toBeCloseTo(3 - 2.032245 * Math.sqrt(0.726839 / 5), 5)
    expect(high).toBeCloseTo(3 + 2.032245 * Math.sqrt(0.726839 / 5), 5)
  })

  test.each([1, 2, 3, 5])('of %i equal values has a width, also where nothing is known of others', count => {
    for (const known of [pool, { squares: 0, freedom: 0, designEffect: 1 }]) {
      const [low, high] = meanInterval({ count, mean: 4, deviation: 0 }, known, scores)!
      expect(high - low).toBeGreaterThan(0.5)
    }
  })

  test('stays on the scale, and there is none without values', () => {
    const [low, high] = meanInterval({ count: 2, mean: 4.9, deviation: 0 }, pool, scores)!
    expect(high).toBe(5)
    expect(low).toBeLessThan(4.9)
    expect(meanInterval({ count: 0, mean: 0, deviation: 0 }, pool, scores)).toBeUndefined()
  })

  test('is wider where calls of a day resemble each other', () => {
    const width = (designEffect: number) => {
      const [low, high] = meanInterval({ count: 50, mean: 3, deviation: 0.7 }, { ...pool, designEffect }, scores)!
      return high - low
    }
    expect(width(4) / width(1)).toBeCloseTo(Math.sqrt(1 + 3 * (1 - 1 / 50)), 9)
  })
})

describe('the interval of a share', () => {
  test.each([
    // prop.test(8, 10, correct = FALSE)$conf.int and so on: Wilson's.
    [8, 10, 0.4901625, 0.9433178],
    [0, 20, 0, 0.1611252],
    [20, 20, 0.8388748, 1],
  ])('%i of %i', (hits, of, low, high) => {
    const [a, b] = shareInterval(hits, of, 1)!
    expect(a).toBeCloseTo(low, 6)
    expect(b).toBeCloseTo(high, 6)
  })

  test('counts calls that resemble each other as fewer', () => {
    const [low, high] = shareInterval(60, 100, 2)!
    const [a, b] = shareInterval(60, 100, 1)!
    expect(high - low).toBeGreaterThan(1.3 * (b - a))
    expect(shareInterval(0, 0, 1)).toBeUndefined()
  })
})

describe('two means', () => {
  test('are compared by Welch’s test', () => {
    // t.test(c(1, 2, 3, 4, 5), c(3, 4, 5, 6, 7, 8))$p.value
    const p = compareMeans(
      { count: 5, mean: 3, deviation: Math.sqrt(2.5) },
      { count: 6, mean: 5.5, deviation: Math.sqrt(3.5) },
    )
    expect(p).toBeCloseTo(0.0396, 3)
  })

  test.each([
    ['two equal values against five', { count: 2, mean: 5, deviation: 0 }, { count: 5, mean: 3, deviation: 0 }],
    ['four values', { count: 4, mean: 5, deviation: 1 }, { count: 50, mean: 3, deviation: 1 }],
    ['values without spread', { count: 9, mean: 5, deviation: 0 }, { count: 9, mean: 3, deviation: 0 }],
  ])('%s say nothing', (_, a, b) => {
    expect(compareMeans(a, b)).toBeUndefined()
  })
})

describe('two shares', () => {
  test.each([
    // The lady tasting tea: fisher.test(matrix(c(3, 1, 1, 3), 2))
    [3, 4, 1, 4, 0.4857143],
    // fisher.test(matrix(c(8, 2, 1, 5), 2))
    [8, 10, 1, 6, 0.03496503],
    [0, 10, 8, 10, 0.0007144558],
    // prop.test(c(60, 40), c(100, 100), correct = FALSE)
    [60, 100, 40, 100, 0.004677735],
  ])('%i of %i and %i of %i', (a, ofA, b, ofB, p) => {
    expect(compareShares({ hits: a, of: ofA }, { hits: b, of: ofB })).toBeCloseTo(p, 6)
  })

  test('are the same when nothing can be said', () => {
    expect(compareShares({ hits: 0, of: 0 }, { hits: 3, of: 5 })).toBe(1)
    expect(compareShares({ hits: 0, of: 9 }, { hits: 0, of: 5 })).toBe(1)
    expect(compareShares({ hits: 9, of: 9 }, { hits: 5, of: 5 })).toBe(1)
  })

  test('of very many calls are compared as fast and stay probabilities', () => {
    const p = compareShares({ hits: 3, of: 250_000 }, { hits: 12, of: 250_000 })
    expect(p).toBeGreaterThan(0.02)
    expect(p).toBeLessThan(0.05)
  })
})

test('Benjamini and Hochberg keep the order given', () => {
  // p.adjust(c(0.01, 0.04, 0.03, 0.005, 0.5), method = "BH")
  const q = benjaminiHochberg([0.01, 0.04, 0.03, 0.005, 0.5])
  expect(q.map(value => Number(value.toFixed(6)))).toEqual([0.025, 0.05, 0.05, 0.025, 0.5])
  expect(benjaminiHochberg([])).toEqual([])
})
