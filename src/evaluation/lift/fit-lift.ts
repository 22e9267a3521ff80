import { agentEffects } from './agent-effects.js'
import { COUNTS, fitEffects, probability, type SignalEffects } from './fit-effects.js'
import { FOLDS, type FoldFit, type LiftFit, type LiftGroups } from './lift-groups.js'
import { shownBy } from './shown-by.js'

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
    const means = meansOf(groups, others.trials)
    const added = addedBy(groups, { effects, means })
    return { shares, offsets: calibrated(groups, others.trials, shares, added), means, effects }
  })
  const all = outside(groups, undefined)
  return { folds, agents: agentEffects(groups, folds, offsetsBy(groups, contextShares(groups, all)), all) }
}

const offsetsBy = ({ context }: LiftGroups, shares: Float64Array) =>
  Float64Array.from(context, one => logOddsOfShare(shares[one]!))

/** What the signals of each group add to the log odds. */
function addedBy({ features, states, agent }: LiftGroups, fit: Pick<FoldFit, 'effects' | 'means'>): Float64Array {
  return Float64Array.from(agent, (_, group) => {
    return shownBy(fit, states.subarray(group * features, (group + 1) * features)).logOdds
  })
}

/** Parts in which the calls of all contexts stand for a context with few calls. */
const BINS = 64
/** Log odds to which an offset is found, and the steps that takes at most: halving alone would need fewer. */
const CLOSE = 1e-9
const MOST_STEPS = 60

/**
 * The log odds of each context from which the mean chance of its calls, by what their signals add, is its share: with the log odds of the
 * share itself it would not be, since a chance moves less above and below than in the middle, and since the calls of a context
 * may show signals more or less often than others (calibration in the large; Steyerberg, 2009). As in the shares, calls of all
 * contexts stand in for a context with few.
 */
function calibrated(
  { context, contexts }: LiftGroups,
  trials: Float64Array,
  shares: Float64Array,
  added: Float64Array,
): Float64Array<ArrayBuffer> {
  const [least, most] = added.reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [0, 0])
  const any = binned(added, trials, least, most)
  const members: number[][] = Array.from({ length: contexts + 1 }, () => [])
  context.forEach((one, group) => {
    if (trials[group]! > 0) members[one]!.push(group)
  })
  return Float64Array.from(shares, (share, one) => {
    const calls = members[one]!.reduce((sum, group) => sum + trials[group]!, 0)
    const expected = (calls + PRIOR_CALLS) * share
    let [low, high] = [logOddsOfShare(share) - most, logOddsOfShare(share) - least]
    let at = logOddsOfShare(share)
    for (let steps = 0; steps < MOST_STEPS && high - low > CLOSE; steps += 1) {
      let sum = -expected
      let slope = 0
      const count = (calls: number, more: number) => {
        const p = probability(at + more)
        sum += calls * p
        slope += calls * p * (1 - p)
      }
      for (const group of members[one]!) count(trials[group]!, added[group]!)
      for (const { part, mean } of any) count(PRIOR_CALLS * part, mean)
      if (sum > 0) high = at
      else low = at
      const next = at - sum / slope
      if (Math.abs(next - at) < CLOSE) break
      at = next > low && next < high ? next : (low + high) / 2
    }
    return at
  })
}

/** How the calls are spread over what is added: of each bin its part of the calls, and its mean. */
function binned(added: Float64Array, trials: Float64Array, least: number, most: number) {
  const calls = new Float64Array(BINS)
  const sums = new Float64Array(BINS)
  added.forEach((value, group) => {
    const bin = most > least ? Math.min(BINS - 1, Math.floor(((value - least) / (most - least)) * BINS)) : 0
    calls[bin]! += trials[group]!
    sums[bin]! += trials[group]! * value
  })
  const all = calls.reduce((sum, count) => sum + count, 0)
  return [...calls].flatMap((count, bin) => (count === 0 ? [] : [{ part: count / all, mean: sums[bin]! / count }]))
}

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

/** (positives + m x share of all) / (calls + m), of each context; the last is one without calls. The share of all is never 0 or 1. */
function contextShares(
  { context, contexts }: LiftGroups,
  { trials, positives }: { trials: Float64Array; positives: Float64Array },
): Float64Array<ArrayBuffer> {
  const sum = (values: Float64Array) => values.reduce((total, value) => total + value, 0)
  const all = (sum(positives) + 0.5) / (sum(trials) + 1)
  const calls = new Float64Array(contexts + 1)
  const good = new Float64Array(contexts + 1)
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
