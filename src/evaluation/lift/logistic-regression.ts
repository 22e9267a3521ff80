import { CholeskyDecomposition, Matrix } from 'ml-matrix'

/** States a feature can have in a row; 0 is one that has no say in it. */
export const STATES = 4

/** Rows of a regression in as little room as they need: a feature's state takes a byte. */
export interface RegressionRows {
  readonly features: number
  /** State of each feature in each row, row by row. */
  readonly states: Uint8Array
  /** What a state counts, feature by feature: features x STATES. */
  readonly values: Float64Array
  /** Log odds of each row before its features are looked at. */
  readonly offsets: Float64Array
  /** How often each row was seen, and how often the outcome was positive then. */
  readonly trials: Float64Array
  readonly positives: Float64Array
}

export interface Regression {
  readonly intercept: number
  /** Of each feature. */
  readonly coefficients: Float64Array
}

/** Newton's method doubles the digits each time; a problem of this kind takes five to ten steps. */
const MOST_STEPS = 100
const CLOSE = 1e-9
/** Sums of a million rows are this exact, relatively. */
const NOISE = 1e-12

/**
 * Logistic regression with a ridge penalty: the coefficients b that minimise
 * -log likelihood + penalty / 2 x sum(b^2), with log odds = offset + b0 + sum(bj x value of j). The intercept is penalised
 * too, since the offset says already how likely the outcome is: so there always is one solution, also where the features
 * tell the outcomes apart completely. It is found by Newton's method with step halving (iteratively reweighted least
 * squares; Hastie, Tibshirani and Friedman, The Elements of Statistical Learning, 2nd ed., 4.4.1).
 *
 * The likelihood is ours because no library for Node fits one with penalty, offset and counted rows: ml-logistic-regression
 * takes a fixed number of gradient steps without a penalty, scikitjs brings all of TensorFlow. The linear algebra is a
 * library's.
 */
export function fitRegression(rows: RegressionRows, penalty: number): Regression {
  const size = rows.features + 1
  let at = new Float64Array(size)
  let here = lookAt(rows, at, penalty)
  for (let steps = 0; steps < MOST_STEPS; steps += 1) {
    const step = new CholeskyDecomposition(here.curvature).solve(Matrix.columnVector(here.slope)).to1DArray()
    let share = 1
    let next = moved(at, step, share)
    let there = lookAt(rows, next, penalty)
    while (there.loss > here.loss * (1 + NOISE) && share > CLOSE) {
      share /= 2
      next = moved(at, step, share)
      there = lookAt(rows, next, penalty)
    }
    at = next
    here = there
    if (step.every(one => Math.abs(one) < CLOSE)) break
  }
  return { intercept: at.at(-1)!, coefficients: at.slice(0, -1) }
}

/** Log odds of a row. */
export function logOddsOf(
  { intercept, coefficients }: Regression,
  { features, states, values, offsets }: Omit<RegressionRows, 'trials' | 'positives'>,
  row: number,
): number {
  let sum = offsets[row]! + intercept
  for (let j = 0; j < features; j += 1) sum += coefficients[j]! * values[j * STATES + states[row * features + j]!]!
  return sum
}

/** Probability from log odds. */
export const probability = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds))

function moved(from: Float64Array, step: readonly number[], share: number): Float64Array<ArrayBuffer> {
  return Float64Array.from(from, (value, j) => value - share * step[j]!)
}

/** The penalised loss at some coefficients (the intercept last), with its first and second derivatives. */
function lookAt(rows: RegressionRows, at: Float64Array, penalty: number) {
  const { features, states, values, trials, positives } = rows
  const size = features + 1
  const regression = { intercept: at[features]!, coefficients: at.subarray(0, features) }
  const slope = Array.from(at, value => penalty * value)
  const curvature = Matrix.eye(size, size, penalty).to1DArray()
  let loss = at.reduce((sum, value) => sum + (penalty / 2) * value * value, 0)
  // What counts in a row: most states of most rows count nothing or little, none is left out for being little.
  const places = new Int32Array(size)
  const counts = new Float64Array(size)
  for (let row = 0; row < trials.length; row += 1) {
    const n = trials[row]!
    if (n === 0) continue
    let used = 0
    for (let j = 0; j < features; j += 1) {
      const state = states[row * features + j]!
      if (state === 0) continue
      places[used] = j
      counts[used] = values[j * STATES + state]!
      used += 1
    }
    places[used] = features
    counts[used] = 1
    used += 1
    const logOdds = logOddsOf(regression, rows, row)
    const p = probability(logOdds)
    loss += n * softplus(logOdds) - positives[row]! * logOdds
    const residual = n * p - positives[row]!
    const weight = n * p * (1 - p)
    for (let a = 0; a < used; a += 1) {
      slope[places[a]!]! += residual * counts[a]!
      const base = places[a]! * size
      const weighed = weight * counts[a]!
      for (let b = 0; b <= a; b += 1) curvature[base + places[b]!]! += weighed * counts[b]!
    }
  }
  const square = new Matrix(size, size)
  for (let a = 0; a < size; a += 1) {
    for (let b = 0; b <= a; b += 1) {
      square.set(a, b, curvature[a * size + b]!)
      square.set(b, a, curvature[a * size + b]!)
    }
  }
  return { loss, slope, curvature: square }
}

/** log(1 + e^x) without overflow. */
function softplus(x: number): number {
  return Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)))
}
