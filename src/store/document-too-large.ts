import { Problem } from '../base/problem.js'

/** One document is larger than everything that may come back. */
export function documentTooLarge(maxBytes: number): Problem {
  return new Problem(
    'too_large',
    `A single document of the result is larger than ${maxBytes} bytes; keep fewer of its fields with $project, or fewer elements of its arrays`,
  )
}
