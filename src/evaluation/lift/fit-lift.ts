import { agentEffects } from './agent-effects.js'
import { COUNTS, fitEffects, type SignalEffects } from './fit-effects.js'
import { FOLDS, type LiftFit, type LiftGroups } from './lift-groups.js'

/** Calls' worth of the project's share that a context's share starts from (an m-estimate; Cestnik, 1990). */
const PRIOR_CALLS = 10

/**
 * What outcome lift is told from: the chance of a positive outcome in a call's context (the smoothed share of positive
 * calls with the same driver and direction), and what signals change of it, each call compared with others of its agent.
 * Both are taken from the calls in the other four folds (cross-fitting), so that no call speaks for itself.
 */
export function fitLift(groups: LiftGroups): LiftFit {
  let near: SignalEffects | undefined
  const folds = Array.from({ length: FOLDS }, (_, fold) => {
    const others = outside(groups, fold)
    const shares = contextShares(groups, others)
    const effects = fitEffects({ ...groups, ...others, offsets: offsetsBy(groups, shares) }, near)
    near ??= effects
    return { shares, means: meansOf(groups, others.trials), effects }
  })
  const all = outside(groups, undefined)
  return { folds, agents: agentEffects(groups, folds, offsetsBy(groups, contextShares(groups, all)), all) }
}

const offsetsBy = ({ context }: LiftGroups, shares: Float64Array) =>
  Float64Array.from(context, one => logOddsOfShare(shares[one]!))

/** Log odds of a context before it is looked at what the agent did. */
export const logOddsOfShare = (share: number): number => Math.log(share / (1 - share))

/** How often each group occurs outside a fold, or in all, and with a positive outcome. */
function outside({ calls, positives }: LiftGroups, fold: number | undefined) {
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

/** Mean of each signal over the calls to which it applies. */
function meansOf({ features, states }: LiftGroups, trials: Float64Array): Float64Array<ArrayBuffer> {
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
  return sums.map((sum, j) => sum / Math.max(1, calls[j]!))
}
