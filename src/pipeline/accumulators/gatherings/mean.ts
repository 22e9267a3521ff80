import { double, isNumeric, toNumber } from '../../value.js'
import { compensatedSum } from './compensated-sum.js'
import type { Gathering } from './gathering.js'

/** The mean of the numbers, a double; what is not a number is ignored, nothing gives null. */
export function mean(): Gathering {
  const sum = compensatedSum()
  let count = 0
  return {
    add: value => {
      if (!isNumeric(value)) return
      sum.add(toNumber(value))
      count += 1
    },
    result: () => (count === 0 ? null : double(sum.result() / count)),
  }
}
