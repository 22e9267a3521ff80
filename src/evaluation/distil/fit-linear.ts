import { PLACES } from './turn-features.js'

/** Places of features, and whether they are of the kind that is looked for. */
export interface Example {
  /** Those that weights are learnt of. */
  readonly features: Uint16Array
  /** How many there are with those that none is learnt of. */
  readonly count: number
  readonly present: boolean
}

/** Log odds = bias + sum of the weights of the features / √ their number. */
export interface LinearWeights {
  readonly bias: number
  /** By place. */
  readonly weights: Float64Array
}

/**
 * How far one example may bend the weights, and how close multipliers come to their solution, in log odds: chosen by
 * cross-validation over labelled calls that the rules are tuned to, where costs from 8 to 30 and a hundredth of the
 * closeness made no difference (docs/evaluation-report.md).
 */
const COST = 8
const CLOSE = 0.1
const MOST_ROUNDS = 100
const MOST_STEPS = 40
/** Log odds of the share of its cost that each multiplier has at first. */
const FIRST_SHARE = Math.log(0.01 / 0.99)

/**
 * Logistic regression with an L2 penalty, by coordinate descent in the dual (Yu, Huang and Lin, "Dual coordinate descent methods
 * for logistic regression and maximum entropy models", Machine Learning 85, 2011; LIBLINEAR's too): the penalty keeps the weights of
 * tens of thousands of features from saying more than a few hundred examples do. Both kinds count the same in all, however rare one is.
 * The same examples in the same order give the same weights, to the bit.
 *
 * It is ours because what there is for Node takes dense rows: those of a thousand calls would be many gigabytes.
 */
export function fitLinear(examples: readonly Example[]): LinearWeights {
  const weights = new Float64Array(PLACES)
  let bias = 0
  const positives = examples.filter(one => one.present).length
  const costs = [examples.length - positives, positives].map(kind => (COST * examples.length) / (2 * Math.max(1, kind)))
  const shares = new Float64Array(examples.length).fill(FIRST_SHARE)
  /** A multiplier is its share of its cost; weights and bias are the examples' sum by these. */
  const add = ({ features, count, present }: Example, change: number) => {
    const signed = present ? change : -change
    bias += signed
    const each = signed / Math.sqrt(Math.max(1, count))
    for (let one = 0; one < features.length; one += 1) weights[features[one]!]! += each
  }
  for (const one of examples) add(one, probability(FIRST_SHARE) * costs[one.present ? 1 : 0]!)
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    let moved = 0
    for (let at = 0; at < examples.length; at += 1) {
      const one = examples[at]!
      const margin = logOddsOf({ bias, weights }, one.features, one.count) * (one.present ? 1 : -1)
      const cost = costs[one.present ? 1 : 0]!
      const old = cost * probability(shares[at]!)
      // Of the features, each of which counts 1/√n, and of the bias.
      const square = one.features.length / Math.max(1, one.count) + 1
      const share = balance(shares[at]!, t => t + square * (cost * probability(t) - old) + margin, square * cost)
      moved = Math.max(moved, Math.abs(share - shares[at]!))
      shares[at] = share
      add(one, cost * probability(share) - old)
    }
    if (moved < CLOSE) break
  }
  return { bias, weights }
}

/**
 * Where a function is 0 that rises with t, by at least 1 and by at most 1 + steepest x p(t) (1 - p(t)): Newton's method, and halving where it
 * leaves what is known to hold the place.
 */
function balance(near: number, valueAt: (t: number) => number, steepest: number): number {
  let t = near
  let [low, high] = [-Infinity, Infinity]
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const value = valueAt(t)
    if (Math.abs(value) < CLOSE / 100) break
    if (value > 0) {
      high = t
      low = Math.max(low, t - value)
    } else {
      low = t
      high = Math.min(high, t - value)
    }
    const p = probability(t)
    const next = t - value / (1 + steepest * p * (1 - p))
    t = next > low && next < high ? next : (low + high) / 2
  }
  return t
}

export function logOddsOf(
  { bias, weights }: LinearWeights,
  features: Uint16Array,
  count: number = features.length,
): number {
  let sum = 0
  for (let one = 0; one < features.length; one += 1) sum += weights[features[one]!]!
  return bias + sum / Math.sqrt(Math.max(1, count))
}

export const probability = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds))
