import { double, isNumeric, toNumber } from '../../value.js'
import type { Gathering } from './gathering.js'

/** From here on the squares of numbers leave what doubles hold; the engine's own deviation raises there. */
export const TOO_LARGE = 1e150

/**
 * The standard deviation of the numbers by Welford's method; what is not a number is ignored. Nothing gives null, and
 * so does one number for a sample. Among numbers too large to be squared it is NaN.
 */
export function deviation(of: 'population' | 'sample'): Gathering {
  let count = 0
  let mean = 0
  let squares = 0
  let tooLarge = false
  return {
    add: value => {
      if (!isNumeric(value)) return
      const number = toNumber(value)
      // NaN too is not below.
      if (!(Math.abs(number) < TOO_LARGE)) tooLarge = true
      count += 1
      const delta = number - mean
      mean += delta / count
      squares += delta * (number - mean)
    },
    result: () => {
      const degrees = of === 'sample' ? count - 1 : count
      if (degrees < 1) return null
      return double(tooLarge ? Number.NaN : Math.sqrt(squares / degrees))
    },
  }
}
