import { Problem } from '../../base/problem.js'

/**
 * A failure of the engine as a caller may read it; what we have no sentence for goes on unchanged and is answered as an
 * internal error. The engine's own texts hold SQL and paths and never go out.
 */
export function engineProblem(error: unknown): unknown {
  const text = error instanceof Error ? error.message : ''
  if (text.startsWith('Out of Memory Error')) {
    return new Problem(
      'too_large',
      'The query needs more memory than the store may use; narrow it or group by fewer values',
    )
  }
  // A deadline's interrupt is told apart before; what remains is the store ending its queries.
  if (text.startsWith('INTERRUPT Error')) return new Problem('store_unavailable', 'The store is closing')
  if (/^(IO Error|FATAL Error)|database has been invalidated/.test(text)) {
    // The cause is for the log; `cause` is never shaped into an answer.
    const problem = new Problem('store_unavailable', 'The store cannot read or write its files at the moment')
    problem.cause = error
    return problem
  }
  return error
}
