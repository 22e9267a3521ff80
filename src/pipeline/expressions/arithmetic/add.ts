import { arithmetic } from './arithmetic.js'

/** The sum; a date and milliseconds give a date. Null or missing makes it null. */
export const add = arithmetic('$add', [0, Infinity], {
  integers: (a, b) => a + b,
  doubles: (a, b) => a + b,
  bits: (a, b) => Math.max(a, b) + 1,
  sign: '+',
})
