import { array, assert, double, integer, property, record } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type EffectRows, fitEffects } from '../../../src/evaluation/lift/fit-effects.js'

/** Rows of [agent, states, trials, positives]. */
function rowsOf(all: readonly (readonly [number, readonly number[], number, number])[], offset = 0): EffectRows {
  return {
    features: all[0]?.[1].length ?? 0,
    agents: Math.max(...all.map(([agent]) => agent)) + 1,
    states: Uint8Array.from(all.flatMap(([, states]) => states)),
    agent: Int32Array.from(all.map(([agent]) => agent)),
    offsets: new Float64Array(all.length).fill(offset),
    trials: Float64Array.from(all.map(([, , trials]) => trials)),
    positives: Float64Array.from(all.map(([, , , positives]) => positives)),
  }
}

const [ABSENT, PRESENT] = [[1], [3]]

describe('what signals do', () => {
  it('is the odds that were counted, where many calls outweigh the penalty', () => {
    const { coefficients } = fitEffects(
      rowsOf([
        [0, PRESENT, 40_000, 30_000],
        [0, ABSENT, 40_000, 10_000],
      ]),
    )
    expect(coefficients[0]).toBeCloseTo(2 * Math.log(3), 2)
  })

  it('is found within agents: one who is better at everything lends nothing to the signal that is hers', () => {
    // Half of each agent's calls end well, or nine in ten, with the signal as without; she shows it in nine calls of ten.
    const { coefficients, agentVariance } = fitEffects(
      rowsOf([
        [0, PRESENT, 900, 810],
        [0, ABSENT, 100, 90],
        [1, PRESENT, 100, 50],
        [1, ABSENT, 900, 450],
      ]),
    )
    expect(Math.abs(coefficients[0]!)).toBeLessThan(0.01)
    expect(agentVariance).toBeGreaterThan(0.3)
  })

  it('is nothing that an agent who always does it could show', () => {
    const { coefficients, covariance } = fitEffects(
      rowsOf([
        [0, PRESENT, 500, 450],
        [1, ABSENT, 500, 250],
      ]),
    )
    expect(coefficients[0]).toBeCloseTo(0, 9)
    // As little as before there were calls: within ±1 nineteen times in twenty.
    expect(covariance[0]).toBeCloseTo(1 / 4, 9)
  })

  it('has an error that falls with the root of the calls', () => {
    const errorOf = (calls: number) =>
      Math.sqrt(
        fitEffects(
          rowsOf([
            [0, PRESENT, calls, calls / 2],
            [0, ABSENT, calls, calls / 2],
          ]),
        ).covariance[0]!,
      )
    // Of log odds between two shares of a half: the root of 8 / calls.
    expect(errorOf(10_000)).toBeCloseTo(Math.sqrt(8 / 10_000), 3)
    expect(errorOf(10_000) / errorOf(40_000)).toBeCloseTo(2, 1)
  })

  it('has a solution where a signal tells the outcomes apart completely, and whatever the calls', () => {
    const { coefficients } = fitEffects(
      rowsOf([
        [0, PRESENT, 1e6, 1e6],
        [0, ABSENT, 1e6, 0],
      ]),
    )
    expect(coefficients[0]).toBeGreaterThan(5)
    expect(coefficients[0]).toBeLessThan(50)
    const row = record({
      agent: integer({ min: 0, max: 3 }),
      states: array(integer({ min: 0, max: 3 }), { minLength: 4, maxLength: 4 }),
      trials: integer({ min: 0, max: 1_000 }),
      share: double({ min: 0, max: 1, noNaN: true }),
    })
    assert(
      property(array(row, { minLength: 1, maxLength: 30 }), double({ min: -8, max: 8, noNaN: true }), (all, offset) => {
        const rows = all.map(
          ({ agent, states, trials, share }) => [agent, states, trials, Math.round(trials * share)] as const,
        )
        const found = fitEffects(rowsOf(rows, offset))
        expect([...found.coefficients, ...found.covariance, found.agentVariance].every(Number.isFinite)).toBe(true)
        for (let j = 0; j < 4; j += 1) {
          expect(found.covariance[j * 4 + j]).toBeGreaterThan(0)
          // What is known beforehand is the least that is known.
          expect(found.covariance[j * 4 + j]).toBeLessThan(0.25 + 1e-9)
        }
      }),
    )
  })
})
