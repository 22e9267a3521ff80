import { describe, expect, test } from 'vitest'
import { benjaminiHochberg } from '../../../src/questions/statistics/benjamini-hochberg.js'
import { compareMeans } from '../../../src/questions/statistics/compare-means.js'
import { compareShares } from '../../../src/questions/statistics/compare-shares.js'
import { meanInterval } from '../../../src/questions/statistics/mean-interval.js'

// The expected values are R's: t.test, fisher.test, prop.test(correct = FALSE), p.adjust(method = "BH").

describe('the interval of a mean', () => {
  test('is Student’s', () => {
    // t.test(c(1, 2, 3, 4, 5))$conf.int
    const [low, high] = meanInterval({ count: 5, mean: 3, deviation: Math.sqrt(2.5) })!
    expect(low).toBeCloseTo(1.036757, 5)
    expect(high).toBeCloseTo(4.963243, 5)
  })

  test('is not given for a single value', () => {
    expect(meanInterval({ count: 1, mean: 3, deviation: 0 })).toBeUndefined()
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

  test('without spread are the same or not', () => {
    const four = { count: 3, mean: 4, deviation: 0 }
    expect(compareMeans(four, four)).toBe(1)
    expect(compareMeans(four, { ...four, mean: 5 })).toBe(0)
  })

  test('need two values a side', () => {
    expect(compareMeans({ count: 1, mean: 4, deviation: 0 }, { count: 9, mean: 2, deviation: 1 })).toBeUndefined()
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
