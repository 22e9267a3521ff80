import { EigenvalueDecomposition, Matrix } from 'ml-matrix'
import type { SignalEffectsRecord } from '../../store/records/lift-fit.js'
import type { FoldFit } from './lift-groups.js'
import { drawn } from './shown-by.js'

/** Most directions in which it is kept together how well signals are known; of the others each signal by itself. */
const MOST_FACTORS = 32
/** Digits are kept that a variance needs. */
const DIGITS = 6

/** How well it is known what signals do, small enough to be kept: the mean of the folds. */
export function knownEffects(signals: readonly string[], folds: readonly FoldFit[]): SignalEffectsRecord {
  const size = signals.length
  const covariance = Matrix.zeros(size, size)
  const means = new Float64Array(size)
  for (const fold of folds) {
    const { covariance: own, agentVariance } = fold.effects
    const part = drawn(agentVariance) ** 2 / folds.length
    for (let a = 0; a < size; a += 1) {
      means[a]! += fold.means[a]! / folds.length
      for (let b = 0; b < size; b += 1) covariance.set(a, b, covariance.get(a, b) + part * own[a * size + b]!)
    }
  }
  const { realEigenvalues: values, eigenvectorMatrix: vectors } = new EigenvalueDecomposition(covariance, {
    assumeSymmetric: true,
  })
  const largest = values.map((_, k) => k).toSorted((a, b) => values[b]! - values[a]!)
  const factors = largest
    .slice(0, MOST_FACTORS)
    .map(k => signals.map((_, j) => vectors.get(j, k) * Math.sqrt(Math.max(0, values[k]!))))
  const rest = signals.map((_, j) =>
    size <= MOST_FACTORS ? 0 : Math.max(0, covariance.get(j, j) - factors.reduce((sum, one) => sum + one[j]! ** 2, 0)),
  )
  return {
    signals: [...signals],
    means: shortened([...means]),
    factors: factors.map(shortened),
    rest: shortened(rest),
  }
}

const shortened = (values: readonly number[]) => values.map(value => Number(value.toPrecision(DIGITS)))
