import { studentP } from '../../statistics/student.js'
import type { Sample } from './sample.js'

/** Fewest values on a side: two or three may be equal by chance, and then tell nothing of how they spread. */
const FEWEST_VALUES = 5

/**
 * Two-sided p-value that two means differ, by Welch's t-test with Satterthwaite's degrees of freedom; `undefined` for
 * fewer than five values on a side, and for values without any spread: nothing can be said of those.
 */
export function compareMeans(a: Sample, b: Sample): number | undefined {
  if (Math.min(a.count, b.count) < FEWEST_VALUES) return undefined
  const va = a.deviation ** 2 / a.count
  const vb = b.deviation ** 2 / b.count
  if (va + vb === 0) return undefined
  const t = Math.abs(a.mean - b.mean) / Math.sqrt(va + vb)
  const freedom = (va + vb) ** 2 / (va ** 2 / (a.count - 1) + vb ** 2 / (b.count - 1))
  return studentP(t, freedom)
}
