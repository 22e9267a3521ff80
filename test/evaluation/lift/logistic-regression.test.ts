import { array, assert, constantFrom, double, integer, property, record } from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  fitRegression,
  logOddsOf,
  probability,
  type RegressionRows,
} from '../../../src/evaluation/lift/logistic-regression.js'

const VALUES = [0, -0.5, 0, 0.5]

function rowsOf(
  states: readonly (readonly number[])[],
  trials: readonly number[],
  positives: readonly number[],
): RegressionRows {
  const features = states[0]?.length ?? 0
  return {
    features,
    states: Uint8Array.from(states.flat()),
    values: Float64Array.from(Array.from({ length: features }, () => VALUES).flat()),
    offsets: new Float64Array(states.length),
    trials: Float64Array.from(trials),
    positives: Float64Array.from(positives),
  }
}

describe('a logistic regression', () => {
  it('without a penalty to speak of gives back the odds that were counted', () => {
    // 30 of 40 with the feature, 10 of 40 without: log odds ±log 3.
    const { intercept, coefficients } = fitRegression(rowsOf([[3], [1]], [40, 40], [30, 10]), 1e-9)
    expect(intercept).toBeCloseTo(0, 6)
    expect(coefficients[0]).toBeCloseTo(2 * Math.log(3), 6)
  })

  it('starts from the offsets: what they explain already leaves nothing to the features', () => {
    const rows = { ...rowsOf([[3], [1]], [40, 40], [30, 10]), offsets: Float64Array.of(Math.log(3), -Math.log(3)) }
    const { intercept, coefficients } = fitRegression(rows, 1)
    expect(intercept).toBeCloseTo(0, 9)
    expect(coefficients[0]).toBeCloseTo(0, 9)
  })

  it('has a solution where a feature tells the outcomes apart completely', () => {
    const { coefficients } = fitRegression(rowsOf([[3], [1]], [1e6, 1e6], [1e6, 0]), 4)
    expect(coefficients[0]).toBeGreaterThan(5)
    expect(coefficients[0]).toBeLessThan(50)
  })

  it('shrinks to nothing under a great penalty', () => {
    const { coefficients } = fitRegression(rowsOf([[3], [1]], [40, 40], [30, 10]), 1e9)
    expect(Math.abs(coefficients[0]!)).toBeLessThan(1e-6)
  })

  it('is where the penalised likelihood has its top: no slope is left there, whatever the rows', () => {
    const row = record({
      states: array(integer({ min: 0, max: 3 }), { minLength: 4, maxLength: 4 }),
      trials: integer({ min: 0, max: 1_000 }),
      share: double({ min: 0, max: 1, noNaN: true }),
      offset: double({ min: -8, max: 8, noNaN: true }),
    })
    assert(
      property(array(row, { minLength: 1, maxLength: 30 }), constantFrom(0.5, 4, 100), (all, penalty) => {
        const trials = all.map(one => one.trials)
        const positives = all.map(one => Math.round(one.trials * one.share))
        const rows = {
          ...rowsOf(
            all.map(one => one.states),
            trials,
            positives,
          ),
          offsets: Float64Array.from(all.map(one => one.offset)),
        }
        const found = fitRegression(rows, penalty)
        const slope = Array.from(found.coefficients, (value, j) => {
          const pull = all.map((one, at) => {
            const residual = trials[at]! * probability(logOddsOf(found, rows, at)) - positives[at]!
            return residual * VALUES[one.states[j]!]!
          })
          return pull.reduce((sum, value) => sum + value, penalty * value)
        })
        for (const one of slope) expect(Math.abs(one)).toBeLessThan(1e-5)
      }),
    )
  })
})
