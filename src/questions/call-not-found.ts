import { Problem } from '../base/problem.js'

/** The sentence for a call that is not there or not in scope: one text, so that nobody can tell which. */
export function callNotFound(session: string): Problem {
  return new Problem('not_found', `Call not found: ${session}`)
}
