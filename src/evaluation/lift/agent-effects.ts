import { studentQuantile } from '../../statistics/student.js'
import { COUNTS, fitEffects, probability } from './fit-effects.js'
import type { AgentEffects, FoldFit, LiftGroups } from './lift-groups.js'

/** Calls of an agent below which nothing is told of them: intervals of fewer hold too seldom (docs/statistics.md). */
export const FEWEST_AGENT_CALLS = 5
/** Degrees of freedom that the variance of agents has before there are any. */
const PRIOR_FREEDOM = 4
/** Agents' worth that is known of it before; see fitEffects. */
const PRIOR_AGENTS = 1

/** What is known of signals: mean of the folds'. */
interface Known {
  readonly coefficients: Float64Array
  readonly covariance: Float64Array
  readonly means: Float64Array
}

/**
 * What calls with each agent move beyond what signals show. The signals' part, which lift tells, is taken out first; what
 * is left of an agent is a random intercept, drawn towards none the more the fewer calls there are (a best linear unbiased
 * predictor; Robinson, 1991), less the mean of all. The interval holds what is not known of it, of the signals' part, and of
 * how much agents differ: it is made as if they differed by a standard error more than was found, and by Student's distribution.
 * @param offsets log odds of each group's context
 */
export function agentEffects(
  groups: LiftGroups,
  folds: readonly FoldFit[],
  offsets: Float64Array,
  { trials, positives }: { readonly trials: Float64Array; readonly positives: Float64Array },
): AgentEffects {
  const { features, agents, agent, states } = groups
  const known = meanOf(folds)
  const calls = new Float64Array(agents)
  const sums = new Float64Array(agents * features)
  const shown = offsets.map((offset, row) => {
    const who = agent[row]!
    const n = trials[row]!
    calls[who]! += n
    let logOdds = offset
    for (let j = 0; j < features; j += 1) {
      const state = states[row * features + j]!
      if (state === 0) continue
      const one = COUNTS[state]! - known.means[j]!
      sums[who * features + j]! += n * one
      logOdds += one * known.coefficients[j]!
    }
    return logOdds
  })
  const none = { features: 0, states: new Uint8Array(0), agents, agent, trials, positives, offsets: shown }
  const {
    agents: { values: drawnTowardsNone, information, intercept },
    agentVariance,
  } = fitEffects(none)
  const average = drawnTowardsNone.reduce((sum, value) => sum + value, 0) / agents
  const values = drawnTowardsNone.map(value => value - average)
  const told = information.map(own => (own * agentVariance) / (1 + own * agentVariance))
  const most = agentVariance * (1 + Math.sqrt(2 / (PRIOR_AGENTS + told.reduce((sum, part) => sum + part ** 2, 0))))
  // Of what is not known because it was drawn towards none, and of chance.
  const errors = told.map(part => (1 - part) ** 2 * most + part * (1 - part) * agentVariance)
  const ofAll = errors.reduce((sum, error) => sum + error, 0) / agents ** 2
  const freedom = agents - 1 + PRIOR_FREEDOM
  const margins = errors.map((error, who) => {
    const own = sums.subarray(who * features, (who + 1) * features).map(sum => sum / Math.max(1, calls[who]!))
    const ofSignals = told[who]! ** 2 * quadratic(own, known.covariance)
    return studentQuantile(0.975, freedom) * Math.sqrt(error * (1 - 2 / agents) + ofAll + ofSignals)
  })
  const moved = (by: Float64Array) => {
    const differences = new Float64Array(agents)
    trials.forEach((n, row) => {
      const who = agent[row]!
      const usual = shown[row]! + intercept
      differences[who]! += n * (probability(usual + by[who]!) - probability(usual))
    })
    return differences.map((sum, who) => sum / Math.max(1, calls[who]!))
  }
  return {
    values: moved(values),
    lows: moved(values.map((value, who) => value - margins[who]!)),
    highs: moved(values.map((value, who) => value + margins[who]!)),
    calls,
  }
}

function meanOf(folds: readonly FoldFit[]): Known {
  const mean = (of: (fold: FoldFit) => Float64Array) => {
    const all = folds.map(of)
    return Float64Array.from(all[0] ?? [], (_, i) => all.reduce((sum, one) => sum + one[i]!, 0) / all.length)
  }
  return {
    coefficients: mean(({ effects }) => effects.coefficients),
    covariance: mean(({ effects }) => effects.covariance),
    means: mean(({ means }) => means),
  }
}

/** x'Cx. */
function quadratic(x: Float64Array, square: Float64Array): number {
  let sum = 0
  for (let a = 0; a < x.length; a += 1) {
    for (let b = 0; b < x.length; b += 1) sum += x[a]! * x[b]! * square[a * x.length + b]!
  }
  return sum
}
