/** How well effects are known, as sums: a covariance is the outer products of `factors`, and `rest` on its diagonal. */
interface KnownEffects {
  readonly factors: readonly (readonly number[])[]
  readonly rest: readonly number[]
}

/** How much some values move with each effect: sums over values, and sums of squares. */
export interface Slopes {
  readonly values: number
  readonly sums: readonly number[]
  readonly squares: readonly number[]
}

/** No more of the variance than this is taken for the slopes' own chance. */
const MOST_CHANCE = 0.5

/**
 * The variance of a mean of values that comes of the effects they are computed with: what all of them share, however many
 * there are. The mean slopes are of some values and differ by chance from those of many such; what that adds to the variance
 * is taken off again, since the spread of the values holds it.
 */
export function effectsVariance({ factors, rest }: KnownEffects, { values, sums, squares }: Slopes): number {
  const means = sums.map(sum => sum / values)
  const product = (factor: readonly number[]) => factor.reduce((sum, one, j) => sum + one * means[j]!, 0)
  const whole =
    factors.reduce((sum, factor) => sum + product(factor) ** 2, 0) +
    rest.reduce((sum, one, j) => sum + one * means[j]! ** 2, 0)
  const chance = means.reduce((sum, mean, j) => {
    const variance = factors.reduce((of, factor) => of + factor[j]! ** 2, rest[j]!)
    const spread = Math.max(0, squares[j]! / values - mean ** 2)
    return sum + (variance * spread) / Math.max(1, values - 1)
  }, 0)
  return Math.max(whole - chance, whole * MOST_CHANCE)
}
