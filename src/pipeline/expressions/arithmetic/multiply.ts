import { arithmetic } from './arithmetic.js'

/** The product. Null or missing makes it null. */
export const multiply = arithmetic('$multiply', [0, Infinity], {
  integers: (a, b) => a * b,
  doubles: (a, b) => a * b,
  bits: (a, b) => a + b,
  sign: '*',
  neutral: 1,
})
