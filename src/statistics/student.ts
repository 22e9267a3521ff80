import jstat from 'jstat'

/** From here on Student's t is the normal distribution to five digits, and the library's inverse is no longer exact. */
const MOST_FREEDOM = 1e5

const within = (freedom: number) => Math.min(freedom, MOST_FREEDOM)

/** Two-sided p-value of a t. @param freedom above 0; infinite is normal */
export function studentP(t: number, freedom: number): number {
  return Math.min(1, 2 * jstat.studentt.cdf(-Math.abs(t), within(freedom)))
}

/** The t below which a part of the distribution lies. @param part 0.5–1 */
export function studentQuantile(part: number, freedom: number): number {
  return jstat.studentt.inv(part, within(freedom))
}
