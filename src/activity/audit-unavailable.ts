import { Problem } from '../base/problem.js'

/** The refusal in place of an answer that can't be put on record; its cause is for the log alone. */
export function auditUnavailable(cause?: unknown): Problem {
  const problem = new Problem('store_unavailable', "The audit trail can't be written; no answer leaves until it can")
  if (cause !== undefined) problem.cause = cause
  return problem
}
