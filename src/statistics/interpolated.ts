/** Places that a function is known at. Of sums of 1/(a + b exp(x)), a and b above 0, twelve digits are right where the ends differ by one, three by six. */
const POINTS = 16

/**
 * Smooth functions between two places, by their values at the Chebyshev points of the second kind and the barycentric formula
 * (Berrut & Trefethen, 2004, 5.4): for sums of many terms that are wanted at more places than that.
 * @param of their values at a place
 */
export function interpolated(
  from: number,
  until: number,
  of: (at: number) => Float64Array,
): (at: number) => Float64Array {
  const [middle, half] = [(from + until) / 2, (until - from) / 2]
  const points = Array.from({ length: POINTS }, (_, i) => middle + half * Math.cos((i * Math.PI) / (POINTS - 1)))
  const values = points.map(of)
  return at => {
    const known = points.indexOf(at)
    if (known >= 0) return values[known]!
    const sums = new Float64Array(values[0]!.length)
    let weights = 0
    for (const [i, point] of points.entries()) {
      const end = i === 0 || i === POINTS - 1 ? 0.5 : 1
      const weight = ((i % 2 === 0 ? 1 : -1) * end) / (at - point)
      weights += weight
      for (let j = 0; j < sums.length; j += 1) sums[j]! += weight * values[i]![j]!
    }
    return sums.map(sum => sum / weights)
  }
}

/** Of how many places on it is less work to interpolate. */
export const WORTH_INTERPOLATING = 4 * POINTS
