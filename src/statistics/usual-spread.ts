import jstat from 'jstat'

/** Squared differences between a period and the one before it, each beside what chance alone would make of it. */
export interface Squares {
  /** Squared difference, in units of the outcome's scale. */
  readonly observed: ArrayLike<number>
  /** What chance alone makes of it. */
  readonly expected: ArrayLike<number>
  /** Number of the cell of each, from 0; outcomes of one cell are not independent of each other. */
  readonly cell: ArrayLike<number>
  /** How many numbers of cells there are. */
  readonly cells: number
}

/** How much more than by chance things move when nothing special happens. */
export interface Estimate {
  /** A variance, in units of the outcome's scale. Above 0 unless there is nothing to tell it from. */
  readonly spread: number
  /** Variance of the estimate. */
  readonly variance: number
  /** Cells it was told from. */
  readonly cells: number
}

export interface UsualSpread extends Estimate {
  /**
   * The same from the first cells alone, without those of one member: cells go round the members.
   * @param first how many cells count
   * @param members how many members there are
   */
  withoutMember(first: number, members: number): (member: number) => Estimate
}

const UNKNOWN: Estimate = { spread: 0, variance: 0, cells: 0 }

const ROUNDS = 4
/** Differences of neighbouring periods share a period, which makes their squares tell less (von Neumann, 1941). */
const SHARED_PERIODS = 1.5

/**
 * The moment estimate of a variance that is added to what chance makes (as DerSimonian and Laird, 1986), pooled over
 * outcomes. Its own variance is taken between cells. Since the estimate may be below 0 by chance while a variance can't,
 * what comes back is the mean of a normal distribution around it that is cut at 0: never quite 0.
 */
export function usualSpread({ observed, expected, cell, cells: numbers }: Squares): UsualSpread {
  const size = observed.length
  if (size === 0) return { ...UNKNOWN, withoutMember: () => () => UNKNOWN }
  let theta = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    let sum = 0
    let weights = 0
    for (let i = 0; i < size; i += 1) {
      const w = weightOf(expected[i]!, theta)
      sum += w * (observed[i]! - expected[i]!)
      weights += w
    }
    theta = sum / weights
  }
  const excess = new Float64Array(numbers)
  const weight = new Float64Array(numbers)
  for (let i = 0; i < size; i += 1) {
    const w = weightOf(expected[i]!, theta)
    excess[cell[i]!]! += w * (observed[i]! - expected[i]!)
    weight[cell[i]!]! += w
  }
  const all = sumsOf(excess, weight, { from: 0, until: numbers, step: 1 })
  return {
    ...estimate(all),
    withoutMember: (first, members) => {
      const those = sumsOf(excess, weight, { from: 0, until: first, step: 1 })
      return member => {
        const own = sumsOf(excess, weight, { from: member, until: first, step: members })
        return estimate(less(those, own))
      }
    },
  }
}

/** Over cells: how many tell something, their weights and excesses over chance, and the squares and products of both. */
type Sums = readonly [cells: number, w: number, e: number, ww: number, we: number, ee: number]

function sumsOf(
  excess: Float64Array,
  weight: Float64Array,
  { from, until, step }: { readonly from: number; readonly until: number; readonly step: number },
): Sums {
  let [cells, w, e, ww, we, ee] = [0, 0, 0, 0, 0, 0]
  for (let c = from; c < until; c += step) {
    const a = weight[c]!
    const b = excess[c]!
    if (a === 0) continue
    cells += 1
    w += a
    e += b
    ww += a * a
    we += a * b
    ee += b * b
  }
  return [cells, w, e, ww, we, ee]
}

const less = (all: Sums, some: Sums): Sums => [
  all[0] - some[0],
  all[1] - some[1],
  all[2] - some[2],
  all[3] - some[3],
  all[4] - some[4],
  all[5] - some[5],
]

/** The estimate from some cells. */
function estimate([cells, w, e, ww, we, ee]: Sums): Estimate {
  if (cells === 0) return UNKNOWN
  const theta = e / w
  // The sum of (excess - theta x weight)^2.
  const between = Math.max(0, ee - 2 * theta * we + theta * theta * ww)
  const seen = cells > 1 ? (cells / (cells - 1)) * between : 0
  const variance = (SHARED_PERIODS * Math.max(seen, 2 * theta * theta * ww)) / (w * w)
  return { spread: meanAboveZero(theta, Math.sqrt(variance)), variance, cells }
}

const weightOf = (expected: number, theta: number): number => 1 / (expected + Math.max(theta, 0)) ** 2

/** So far below 0 the continued fraction is exact after this many terms, and the library's tail no longer is. */
const FAR_BELOW = -3
const TERMS = 60

/** The mean of a normal distribution that is cut at 0. */
function meanAboveZero(mean: number, deviation: number): number {
  if (deviation === 0) return Math.max(mean, 0)
  const z = mean / deviation
  if (z > FAR_BELOW) {
    const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)
    return mean + (deviation * density) / jstat.normal.cdf(z, 0, 1)
  }
  // Laplace's continued fraction of the inverse Mills ratio, less its first term, which is -z.
  let fraction = -z
  for (let term = TERMS; term >= 2; term -= 1) fraction = -z + term / fraction
  return deviation / fraction
}
