import { studentQuantile } from './student.js'

/** What other values of the same kind tell of the spread of a few: all agents of a project, around their own means. */
export interface SpreadPool {
  /** Squares of values around their agent's mean, summed. */
  readonly squares: number
  /** Their degrees of freedom. */
  readonly freedom: number
  /** How much more a mean varies than if calls were independent: calls of one day resemble each other (Kish, 1965). */
  readonly designEffect: number
}

/** How many values, their mean, and their sample standard deviation (n - 1; anything for one value). */
export interface Sample {
  readonly count: number
  readonly mean: number
  readonly deviation: number
}

/** From one end of the scale to the other, and how far values lie from their mean before there are any. */
export interface Range {
  readonly low: number
  readonly high: number
  readonly prior: number
}

export interface IntervalOptions {
  /** Level of confidence; default 0.95. */
  readonly level?: number | undefined
  /** Variance that all values share, so that more of them don't make it less. */
  readonly shared?: number | undefined
}

/**
 * Before there are any values, ten are taken to lie the range's `prior` from their mean. With fewer, scores that are nearly
 * all equal pass for sure while they are few (docs/statistics.md, "Held to account").
 */
const PRIOR_VALUES = 10
/** The pool counts as at most so many values beside the sample's own. */
const MOST_POOLED = 30

/**
 * The confidence interval of a mean; undefined without values. Its variance is the sample's, shrunken towards the
 * pool's (Smyth, 2004; Morris, 1983): so equal values do not make an interval without width, and two do not make one as
 * wide as the scale. It is cut to the scale. Degrees of freedom of the sum with a shared variance are Satterthwaite's (1946).
 */
export function meanInterval(
  { count, mean, deviation }: Sample,
  pool: SpreadPool,
  { low, high, prior: deviationBefore }: Range,
  { level = 0.95, shared = 0 }: IntervalOptions = {},
): [low: number, high: number] | undefined {
  if (count < 1) return undefined
  const own = count > 1 ? (count - 1) * deviation ** 2 : 0
  const prior = PRIOR_VALUES * deviationBefore ** 2
  const pooled = (pool.squares + prior) / (pool.freedom + PRIOR_VALUES)
  const counts = Math.min(MOST_POOLED, pool.freedom + PRIOR_VALUES)
  const freedom = counts + count - 1
  const variance = (counts * pooled + own) / freedom
  const design = 1 + (pool.designEffect - 1) * (1 - 1 / count)
  const ofValues = (variance * design) / count
  const all = ofValues + shared
  const margin = studentQuantile((1 + level) / 2, Math.floor(freedom * (all / ofValues) ** 2)) * Math.sqrt(all)
  return [Math.max(low, mean - margin), Math.min(high, mean + margin)]
}

/** Z of 95 %. */
const Z = 1.959963984540054

/** The 95 % confidence interval of a share by Wilson's score (1927), of as many calls as count (Rao and Scott, 1992). */
export function shareInterval(hits: number, of: number, designEffect: number): [low: number, high: number] | undefined {
  if (of < 1) return undefined
  const n = of / (1 + (designEffect - 1) * (1 - 1 / of))
  const p = hits / of
  const middle = (p + Z ** 2 / (2 * n)) / (1 + Z ** 2 / n)
  const margin = (Z / (1 + Z ** 2 / n)) * Math.sqrt((p * (1 - p)) / n + Z ** 2 / (4 * n ** 2))
  // Nothing and all are within their own interval to the last bit.
  return [hits === 0 ? 0 : Math.max(0, middle - margin), hits === of ? 1 : Math.min(1, middle + margin)]
}
