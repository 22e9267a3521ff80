import jstat from 'jstat'
import type { Sample } from './sample.js'

/**
 * Two-sided p-value that two means differ, by Welch's t-test with Satterthwaite's degrees of freedom; `undefined` for
 * fewer than two values on a side.
 *
 * Without any spread on both sides the means are what they are: the same (1) or different (0).
 */
export function compareMeans(a: Sample, b: Sample): number | undefined {
  if (a.count < 2 || b.count < 2) return undefined
  const va = a.deviation ** 2 / a.count
  const vb = b.deviation ** 2 / b.count
  if (va + vb === 0) return a.mean === b.mean ? 1 : 0
  const t = Math.abs(a.mean - b.mean) / Math.sqrt(va + vb)
  const freedom = (va + vb) ** 2 / (va ** 2 / (a.count - 1) + vb ** 2 / (b.count - 1))
  return Math.min(1, 2 * jstat.studentt.cdf(-t, freedom))
}
