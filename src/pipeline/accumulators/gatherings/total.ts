import { double, integer, isInt, isNumeric, toNumber } from '../../value.js'
import { compensatedSum } from './compensated-sum.js'
import type { Gathering } from './gathering.js'

/** The sum of the numbers; what is not a number is ignored, nothing gives 0; integers stay integers and widen. */
export function total(): Gathering {
  let small = 0
  let integers = 0n
  let long = false
  let doubles: ReturnType<typeof compensatedSum> | undefined
  return {
    add: value => {
      if (typeof value === 'number' && isInt(value)) {
        small += value
        if (Math.abs(small) > 2 ** 52) {
          integers += BigInt(small)
          small = 0
        }
      } else if (typeof value === 'bigint') {
        integers += value
        long = true
      } else if (isNumeric(value)) {
        doubles ??= compensatedSum()
        doubles.add(toNumber(value))
      }
    },
    result: () => {
      const whole = integers + BigInt(small)
      if (doubles === undefined) {
        if (BigInt.asIntN(64, whole) !== whole) return double(Number(whole))
        return long ? whole : integer(whole)
      }
      // Moved over once: a window asks for the result after every document.
      doubles.add(Number(whole))
      integers = 0n
      small = 0
      return double(doubles.result())
    },
  }
}
