import { type Value, double, isNumeric, toNumber } from '../../value.js'
import type { Gathering } from './gathering.js'

/**
 * The place of a quantile among n sorted numbers: the least number that at least the share p of all do not exceed. The
 * engine rounds in the same way.
 */
const placeOf = (p: number, n: number) => Math.max(1, n - Math.floor(n - p * n)) - 1

/** Quantiles of the numbers, each one of them; what is not a number, and NaN, is ignored. Nothing gives nulls. */
export function quantiles(shares: readonly number[], result: (found: readonly Value[]) => Value): Gathering {
  const numbers: number[] = []
  return {
    add: value => {
      if (!isNumeric(value)) return
      const number = toNumber(value)
      if (!Number.isNaN(number)) numbers.push(number)
    },
    result: () => {
      const sorted = Float64Array.from(numbers).toSorted()
      const found = shares.map(p => (sorted.length === 0 ? null : double(sorted[placeOf(p, sorted.length)]!)))
      return result(found)
    },
  }
}
