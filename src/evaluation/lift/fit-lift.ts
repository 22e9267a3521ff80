import { FOLDS, type LiftFit, type LiftGroups } from './lift-groups.js'
import { fitRegression, STATES } from './logistic-regression.js'

/** Calls' worth of the project's share that a context's share starts from (an m-estimate; Cestnik, 1990). */
const PRIOR_CALLS = 10
/**
 * Of the coefficients, which are log odds: as if each was known beforehand to lie within ±1 nineteen times in twenty. A
 * few hundred calls outweigh it; with fifty it keeps chance from being taken for skill.
 */
const PENALTY = 4
/** What a state counts: as in the score, an unclear signal is half a present one. */
const COUNTS = [0, 0, 0.5, 1] as const

/**
 * The chance of a positive outcome in a call's context (p_context: the smoothed share of positive calls with the same
 * driver and direction), and given also what the agent did (p_behavioral: a penalised logistic regression on the states
 * of the agent's signals, with the log odds of the context as its offset). Both are taken from the calls in the other
 * four folds (cross-fitting), so that no call speaks for itself.
 *
 * A signal counts 1 present, 0.5 unclear, 0 absent, less its mean over the calls to which it applies; one that does not
 * apply counts nothing. So what cannot be said of a call speaks neither for nor against its agent.
 */
export function fitLift(groups: LiftGroups): LiftFit {
  return Array.from({ length: FOLDS }, (_, fold) => {
    const others = outside(groups, fold)
    const shares = contextShares(groups, others)
    const offsets = Float64Array.from(groups.context, one => logOddsOfShare(shares[one]!))
    const values = countsOf(groups, others.trials)
    return { shares, values, regression: fitRegression({ ...groups, ...others, offsets, values }, PENALTY) }
  })
}

/** Log odds of a context before it is looked at what the agent did. */
export const logOddsOfShare = (share: number): number => Math.log(share / (1 - share))

/** How often each group occurs outside a fold, and with a positive outcome. */
function outside({ calls, positives }: LiftGroups, fold: number) {
  const without = (counts: Uint32Array) => {
    const sums = new Float64Array(counts.length / FOLDS)
    counts.forEach((count, at) => {
      if (at % FOLDS !== fold) sums[Math.floor(at / FOLDS)]! += count
    })
    return sums
  }
  return { trials: without(calls), positives: without(positives) }
}

/** (positives + m x share of all) / (calls + m), of each context. The share of all is never 0 or 1. */
function contextShares(
  { context, contexts }: LiftGroups,
  { trials, positives }: { trials: Float64Array; positives: Float64Array },
): Float64Array<ArrayBuffer> {
  const sum = (values: Float64Array) => values.reduce((total, value) => total + value, 0)
  const all = (sum(positives) + 0.5) / (sum(trials) + 1)
  const calls = new Float64Array(contexts)
  const good = new Float64Array(contexts)
  context.forEach((one, group) => {
    calls[one]! += trials[group]!
    good[one]! += positives[group]!
  })
  return good.map((count, one) => (count + PRIOR_CALLS * all) / (calls[one]! + PRIOR_CALLS))
}

/** What each state of each signal counts, less the mean over the calls to which the signal applies. */
function countsOf({ features, states }: LiftGroups, trials: Float64Array): Float64Array<ArrayBuffer> {
  const calls = new Float64Array(features)
  const sums = new Float64Array(features)
  trials.forEach((n, group) => {
    for (let j = 0; j < features; j += 1) {
      const state = states[group * features + j]!
      if (state === 0) continue
      calls[j]! += n
      sums[j]! += n * COUNTS[state]!
    }
  })
  const values = new Float64Array(features * STATES)
  for (let j = 0; j < features; j += 1) {
    const mean = sums[j]! / Math.max(1, calls[j]!)
    for (let state = 1; state < STATES; state += 1) values[j * STATES + state] = COUNTS[state]! - mean
  }
  return values
}
