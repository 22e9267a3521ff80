import jstat from 'jstat'
import type { Sample } from './sample.js'

/**
 * The 95 % confidence interval of a mean, by Student's t with n - 1 degrees of freedom; `undefined` for fewer than two
 * values, of which nothing can be said.
 */
export function meanInterval({ count, mean, deviation }: Sample): readonly [low: number, high: number] | undefined {
  if (count < 2) return undefined
  const margin = (jstat.studentt.inv(0.975, count - 1) * deviation) / Math.sqrt(count)
  return [mean - margin, mean + margin]
}
