import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { agreementOf, type Pair } from '../../../src/evaluation/model/agreement.js'

type State = 'present' | 'absent' | 'unclear' | undefined

const side = (state: State, score?: number): Pair['one'] => ({
  ...(state !== undefined && { signals: [{ key: 'sig.a', state }] }),
  ...(score !== undefined && { score }),
})
const pairs = (...states: readonly [State, State, number?][]): Pair[] =>
  states.flatMap(([one, other, times = 1]) =>
    Array.from({ length: times }, () => ({ one: side(one), other: side(other) })),
  )
const onA = (...states: readonly [State, State, number?][]) => agreementOf(pairs(...states), ['sig.a']).signals[0]

describe('agreement', () => {
  it('is Cohen’s kappa, as in the textbook’s example', () => {
    // 20 yes-yes, 5 yes-no, 10 no-yes, 15 no-no: observed 0.7, by chance 0.5.
    const found = onA(
      ['present', 'present', 20],
      ['present', 'absent', 5],
      ['absent', 'present', 10],
      ['absent', 'absent', 15],
    )
    expect(found).toEqual({ key: 'sig.a', n: 50, agreement: 0.7, kappa: 0.4, only_one: 5, only_other: 10 })
  })

  it('is 1 where both always say the same of two things, and below 0 where never', () => {
    expect(onA(['present', 'present'], ['absent', 'absent'])).toMatchObject({ agreement: 1, kappa: 1 })
    expect(onA(['present', 'absent'], ['absent', 'present'])).toMatchObject({ agreement: 0, kappa: -1 })
  })

  it('can’t be told from one and the same word', () => {
    expect(onA(['absent', 'absent', 9])).toEqual({ key: 'sig.a', n: 9, agreement: 1, only_one: 0, only_other: 0 })
  })

  it('leaves out calls to which a signal applies by nobody, and counts those by one only as differing', () => {
    expect(onA([undefined, undefined, 5], ['present', undefined], ['unclear', 'unclear'])).toMatchObject({
      n: 2,
      agreement: 0.5,
      only_one: 1,
    })
    expect(onA([undefined, undefined])).toBeUndefined()
  })

  it('says how far scores are apart', () => {
    const scored = [
      { one: side('absent', 4), other: side('absent', 3) },
      { one: side('absent', 2.5), other: side('absent', 3) },
      { one: side('absent'), other: side('absent', 3) },
    ]
    expect(agreementOf(scored, ['sig.a'])).toMatchObject({
      score: { n: 2, mean_difference: 0.25, mean_distance: 0.75 },
      predicted_csat: { n: 0 },
    })
  })

  it('is between -1 and 1, the same the other way round, and at most as high as agreement', () => {
    const state = fc.constantFrom<State>('present', 'absent', 'unclear', undefined)
    fc.assert(
      fc.property(fc.array(fc.tuple(state, state), { maxLength: 60 }), states => {
        const [one] = agreementOf(pairs(...states), ['sig.a']).signals
        const [back] = agreementOf(pairs(...states.map(([a, b]): [State, State] => [b, a])), ['sig.a']).signals
        expect(back?.kappa).toBe(one?.kappa)
        if (one?.kappa === undefined) return
        expect(one.kappa).toBeGreaterThanOrEqual(-1)
        expect(one.kappa).toBeLessThanOrEqual(one.agreement + 1e-9)
      }),
    )
  })
})
