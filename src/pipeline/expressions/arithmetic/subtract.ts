import { arithmetic } from './arithmetic.js'

/** The difference; of two dates in milliseconds. Null or missing makes it null. */
export const subtract = arithmetic('$subtract', [2, 2], {
  integers: (a, b) => a - b,
  doubles: (a, b) => a - b,
  bits: (a, b) => Math.max(a, b) + 1,
  sign: '-',
})
