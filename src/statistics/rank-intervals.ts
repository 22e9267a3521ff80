/** What a value lies between, by an interval that holds for all of a ranking together; undefined without values. */
export type Limits = readonly [low: number, high: number]

/** The level at which each of some intervals has to be made, so that 95 % of the times all of them hold (Bonferroni). */
export const jointLevel = (intervals: number): number => 1 - 0.05 / Math.max(1, intervals)

/**
 * The best and the worst place that each of a ranking may have, by Klein, Wright and Wieczorek (2020): below all whose
 * intervals lie wholly above its own, and above all whose intervals lie wholly below. With intervals that hold together 95 %
 * of the times so do the places. Those whose places overlap can't be told apart. The highest value has place 1.
 */
export function rankIntervals(limits: readonly (Limits | undefined)[]): readonly (Limits | undefined)[] {
  const known = limits.filter(one => one !== undefined)
  const lows = Float64Array.from(known, ([low]) => low).toSorted()
  const highs = Float64Array.from(known, ([, high]) => high).toSorted()
  return limits.map(one => {
    if (one === undefined) return undefined
    const [low, high] = one
    return [1 + (lows.length - countUpTo(lows, high)), highs.length - countBelow(highs, low)]
  })
}

/** How many of some sorted values are at most a bound. */
const countUpTo = (sorted: Float64Array, bound: number): number => count(sorted, value => value <= bound)
const countBelow = (sorted: Float64Array, bound: number): number => count(sorted, value => value < bound)

/** How many values at the beginning have a property that none has after the first without it. */
function count(sorted: Float64Array, has: (value: number) => boolean): number {
  let [from, until] = [0, sorted.length]
  while (from < until) {
    const middle = (from + until) >> 1
    if (has(sorted[middle]!)) from = middle + 1
    else until = middle
  }
  return from
}
