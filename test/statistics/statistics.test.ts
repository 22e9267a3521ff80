import { describe, expect, test } from 'vitest'
import { benjaminiHochberg } from '../../src/statistics/benjamini-hochberg.js'
import { digamma, inverseTrigamma, trigamma } from '../../src/statistics/gamma-functions.js'
import { studentP, studentQuantile } from '../../src/statistics/student.js'
import { meanInterval, shareInterval } from '../../src/statistics/mean-interval.js'

// The expected values are those of R and SciPy: pt, qt, digamma, trigamma, prop.test(correct = FALSE), p.adjust(method = "BH").

describe('the interval of a mean', () => {
  const scores = { low: 1, high: 5, prior: 0.8 }
  /** Of a project of agents with 60 earlier calls each. */
  const pool = { squares: 352.8, freedom: 720, designEffect: 1 }

  test('leans on what is known of the spread of others', () => {
    // (30 x (352.8 + 10 x 0.64) / 730 + 4 x 2.5) / 34 is 0.728283; qt(0.975, 34) is 2.032245
    const [low, high] = meanInterval({ count: 5, mean: 3, deviation: Math.sqrt(2.5) }, pool, scores)!
    expect(low).toBeCloseTo(3 - 2.032245 * Math.sqrt(0.728283 / 5), 5)
    expect(high).toBeCloseTo(3 + 2.032245 * Math.sqrt(0.728283 / 5), 5)
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

describe('Student’s t', () => {
  test.each([
    // 2 * pt(-t, df)
    [2, 3, 0.13932596855884305],
    [2, 2.5, 0.1573914957579659],
    [6, 250.5, 6.871934606174657e-9],
    [30, 12, 1.1773181907018936e-12],
    [4, Infinity, 6.334248366623973e-5],
  ])('beyond %d with %d degrees of freedom', (t, freedom, p) => {
    expect(studentP(t, freedom) / p).toBeCloseTo(1, 2)
    expect(studentP(-t, freedom)).toBe(studentP(t, freedom))
  })

  test.each([
    // qt(p, df)
    [0.975, 1, 12.706204736174694],
    [0.975, 3, 3.1824463052837078],
    [0.975, 1e9, 1.959963984540054],
    [1 - 0.025 / 160, 30, 4.072785877027254],
  ])('quantile %d with %d degrees of freedom', (part, freedom, t) => {
    expect(studentQuantile(part, freedom) / t).toBeCloseTo(1, 4)
  })
})

describe('digamma and trigamma', () => {
  test.each([
    [0.1, -10.423754940411076, 101.43329915079275],
    [0.5, -1.9635100260214235, 4.93480220054468],
    [1, -0.5772156649015329, 1.6449340668482266],
    [2.5, 0.7031566406452432, 0.4903577561002349],
    [10, 2.251752589066721, 0.10516633568168576],
    [30, 3.384438132685525, 0.033895060357739946],
  ])('of %d', (x, first, second) => {
    expect(digamma(x)).toBeCloseTo(first, 10)
    expect(trigamma(x) / second).toBeCloseTo(1, 10)
    expect(inverseTrigamma(trigamma(x)) / x).toBeCloseTo(1, 9)
  })

  test('the inverse is right far out too', () => {
    for (const value of [1e-9, 1e-3, 1e3, 1e9]) expect(trigamma(inverseTrigamma(value)) / value).toBeCloseTo(1, 3)
  })
})

test('Benjamini and Hochberg keep the order given', () => {
  // p.adjust(c(0.01, 0.04, 0.03, 0.005, 0.5), method = "BH")
  const q = benjaminiHochberg([0.01, 0.04, 0.03, 0.005, 0.5])
  expect(q.map(value => Number(value.toFixed(6)))).toEqual([0.025, 0.05, 0.05, 0.025, 0.5])
  expect(benjaminiHochberg([])).toEqual([])
})
