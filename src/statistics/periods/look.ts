/** Something that is measured of calls. Counts, sums and sums of squares, agents x columns, row by row. */
export interface Outcome {
  readonly kind: 'share' | 'mean'
  /** Calls that have a value. */
  readonly calls: Float64Array
  readonly sums: Float64Array
  /** Of a share the same as the sums. */
  readonly squares: Float64Array
  /** It tells how things usually move, and nobody asked whether it changed. */
  readonly isUntested?: boolean
}

/** Two columns that are compared. */
export interface Pair {
  readonly now: number
  readonly before: number
}

/** What is compared with what. A column holds the calls of some time. */
export interface Comparison {
  readonly agents: number
  readonly columns: number
  readonly present: Pair
  /** Pairs of earlier periods, as far apart and as long; or, where there are none, of parts of the two periods. */
  readonly earlier: readonly Pair[]
  /** Whether `earlier` lies before the periods that are compared: what moves slowly shows there only. */
  readonly hasHistory: boolean
  /** Fewest occurrences, or values, in one period. */
  readonly least: number
}

/** The agents of a pair, those with calls on both sides: one entry each in every array. */
interface Cells {
  readonly size: number
  readonly agent: Int32Array
  /** Effective calls of the difference. */
  readonly weight: Float64Array
  readonly difference: Float64Array
}

/** An outcome in one pair. */
export interface PairLook {
  readonly cells: Cells
  /** Variance within agents; what a usual spread is in units of. */
  readonly sigma2: number
  readonly scale: number
  /** p(1 - p) of a share; infinite of a mean, which needs no such information. */
  readonly information: number
}

export interface Look {
  readonly kind: Outcome['kind']
  readonly outcome: Outcome
  readonly present: PairLook
  readonly earlier: readonly PairLook[]
  /** Degrees of freedom of sigma2. */
  readonly sigmaFreedom: number
}

/** What the columns say of an outcome, before anything is known of what is usual. */
export function lookAt(comparison: Comparison, outcome: Outcome): Look {
  const { squares, freedom } = squaresWithin(comparison, outcome)
  const pooled = freedom > 0 ? squares / freedom : 0
  const of = (pair: Pair) => pairLook(comparison, outcome, pair, pooled)
  return {
    kind: outcome.kind,
    outcome,
    present: of(comparison.present),
    earlier: comparison.earlier.map(of),
    sigmaFreedom: freedom,
  }
}

/** Squares of values around the mean of their agent and column. */
function squaresWithin({ agents, columns, present, earlier }: Comparison, outcome: Outcome) {
  const used = new Set([present, ...earlier].flatMap(({ now, before }) => [now, before]))
  let sum = 0
  let freedom = 0
  for (const column of used) {
    for (let g = 0; g < agents; g += 1) {
      const at = g * columns + column
      const n = outcome.calls[at]!
      if (n < 2) continue
      sum += Math.max(0, outcome.squares[at]! - outcome.sums[at]! ** 2 / n)
      freedom += n - 1
    }
  }
  return { squares: sum, freedom }
}

function pairLook({ agents, columns }: Comparison, outcome: Outcome, { now, before }: Pair, pooled: number): PairLook {
  const { calls, sums, squares } = outcome
  const agent = new Int32Array(agents)
  const weight = new Float64Array(agents)
  const difference = new Float64Array(agents)
  let size = 0
  let n = 0
  let sum = 0
  let within = 0
  let freedom = 0
  for (let g = 0; g < agents; g += 1) {
    const a = g * columns + now
    const b = g * columns + before
    const n1 = calls[a]!
    const n0 = calls[b]!
    n += n1 + n0
    sum += sums[a]! + sums[b]!
    if (n1 > 1) {
      within += squares[a]! - sums[a]! ** 2 / n1
      freedom += n1 - 1
    }
    if (n0 > 1) {
      within += squares[b]! - sums[b]! ** 2 / n0
      freedom += n0 - 1
    }
    if (n1 === 0 || n0 === 0) continue
    agent[size] = g
    weight[size] = (n1 * n0) / (n1 + n0)
    difference[size] = sums[a]! / n1 - sums[b]! / n0
    size += 1
  }
  const cells = { size, agent, weight, difference }
  if (outcome.kind === 'mean') return { cells, sigma2: pooled, scale: pooled, information: Infinity }
  const p = n > 0 ? sum / n : 0
  const information = p * (1 - p)
  const sigma2 = freedom > 0 && within > 0 ? within / freedom : information
  return { cells, sigma2, scale: information ** 2, information }
}
