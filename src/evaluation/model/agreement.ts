import type { CallRecord } from '../../calls/call-record.js'

/** What one evaluator says of a signal; `left_out`: that it does not apply. */
export const STATES = ['present', 'absent', 'unclear', 'left_out'] as const
export type State = (typeof STATES)[number]

/** One call as two evaluators see it. */
export interface Pair {
  readonly one: Pick<CallRecord, 'signals' | 'score' | 'predicted_csat'>
  readonly other: Pick<CallRecord, 'signals' | 'score' | 'predicted_csat'>
}

/** How far two evaluators agree on a signal. */
export interface SignalAgreement {
  readonly key: string
  /** Calls to which at least one of them says it applies. */
  readonly n: number
  /** Share of these on whose state they agree, 0–1. */
  readonly agreement: number
  /**
   * Cohen's kappa, -1…1: agreement beyond what chance would bring, 0 for none (J. Cohen, "A coefficient of agreement for
   * nominal scales", 1960). Absent where both always say the same one thing: nothing can be told from that.
   */
  readonly kappa?: number
  /** Calls in which the first says present and the other doesn't, and the other way round. */
  readonly only_one: number
  readonly only_other: number
}

/** How far two evaluators agree on a number. */
export interface NumberAgreement {
  /** Calls with a number of both. */
  readonly n: number
  /** Mean of the first's less the other's, and of the differences without their sign; absent where n is 0. */
  readonly mean_difference?: number
  readonly mean_distance?: number
}

export interface Agreement {
  readonly signals: readonly SignalAgreement[]
  /** Over all signals and calls. */
  readonly overall: Omit<SignalAgreement, 'key'>
  readonly score: NumberAgreement
  readonly predicted_csat: NumberAgreement
}

/** How far two evaluators agree on calls that both evaluated. @param keys the signals that are compared */
export function agreementOf(pairs: readonly Pair[], keys: readonly string[]): Agreement {
  const states = pairs.map(({ one, other }) => ({ one: statesOf(one), other: statesOf(other) }))
  const judged = keys.map(key => ({
    key,
    judgements: states.flatMap(({ one, other }): Judgement[] => {
      const judgement = { one: one.get(key) ?? 'left_out', other: other.get(key) ?? 'left_out' } as const
      return judgement.one === 'left_out' && judgement.other === 'left_out' ? [] : [judgement]
    }),
  }))
  return {
    signals: judged.flatMap(({ key, judgements }) => (judgements.length === 0 ? [] : [{ key, ...agree(judgements) }])),
    overall: agree(judged.flatMap(({ judgements }) => judgements)),
    score: numbers(pairs, ({ score }) => score),
    predicted_csat: numbers(pairs, ({ predicted_csat: csat }) => csat),
  }
}

interface Judgement {
  readonly one: State
  readonly other: State
}

function agree(judgements: readonly Judgement[]): Omit<SignalAgreement, 'key'> {
  const n = judgements.length
  const count = (is: (judgement: Judgement) => boolean) => judgements.filter(judgement => is(judgement)).length
  const observed = n === 0 ? 0 : count(({ one, other }) => one === other) / n
  const chance = STATES.reduce(
    (sum, state) => sum + (count(({ one }) => one === state) / n) * (count(({ other }) => other === state) / n),
    0,
  )
  // A hair below 1 is rounding.
  const constant = n === 0 || chance > 1 - 1e-9
  return {
    n,
    agreement: round(observed),
    ...(!constant && { kappa: round((observed - chance) / (1 - chance)) }),
    only_one: count(({ one, other }) => one === 'present' && other !== 'present'),
    only_other: count(({ one, other }) => one !== 'present' && other === 'present'),
  }
}

function numbers(pairs: readonly Pair[], of: (call: Pair['one']) => number | undefined): NumberAgreement {
  const differences = pairs.flatMap(({ one, other }) => {
    const [a, b] = [of(one), of(other)]
    return a === undefined || b === undefined ? [] : [a - b]
  })
  const n = differences.length
  if (n === 0) return { n }
  const mean = (values: readonly number[]) => round(values.reduce((sum, value) => sum + value, 0) / n)
  return { n, mean_difference: mean(differences), mean_distance: mean(differences.map(value => Math.abs(value))) }
}

function statesOf({ signals }: Pair['one']): ReadonlyMap<string, State> {
  return new Map(signals?.map(({ key, state }) => [key, state]))
}

/** To three digits, without a negative zero. */
function round(value: number): number {
  return Math.round(value * 1_000) / 1_000 + 0
}
