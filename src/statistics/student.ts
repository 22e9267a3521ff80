import jstat from 'jstat'

/** From here on Student's t is the normal distribution to five digits, and the library's inverse is no longer exact. */
const MOST_FREEDOM = 1e5

const within = (freedom: number) => Math.min(freedom, MOST_FREEDOM)

/** Two-sided p-value of a t. @param freedom above 0; infinite is normal */
export function studentP(t: number, freedom: number): number {
  return Math.min(1, 2 * jstat.studentt.cdf(-Math.abs(t), within(freedom)))
}

/** Quantiles that were found: it takes some tens of microseconds to find one, and agents with as many calls have the same. */
const found = new Map<string, number>()
const MOST_FOUND = 10_000

/** The t below which a part of the distribution lies. @param part 0.5–1 */
export function studentQuantile(part: number, freedom: number): number {
  const key = `${part} ${freedom}`
  const known = found.get(key)
  if (known !== undefined) return known
  const quantile = jstat.studentt.inv(part, within(freedom))
  if (found.size >= MOST_FOUND) found.clear()
  found.set(key, quantile)
  return quantile
}
