import { FAULT_WORDS, faultClass } from '../../base/fault-class.js'
import { Problem } from '../../base/problem.js'
import { storeClosing } from '../store-closing.js'

/** The engine's memory is taken: by this query, or by others at the same time. */
class OutOfMemory extends Problem {
  override readonly name = 'OutOfMemory'
}

export const isOutOfMemory = (error: unknown): boolean => error instanceof OutOfMemory

/** Whether more memory would have helped: the engine's texts on it all name the setting. */
export function wantsMemory(error: unknown): boolean {
  if (isOutOfMemory(error)) return true
  const cause = error instanceof Problem ? error.cause : error
  return cause instanceof Error && cause.message.includes('memory_limit')
}

/**
 * A failure of the engine as a caller may read it; what we have no sentence for goes on unchanged and is answered as an
 * internal error. The engine's own texts hold SQL and paths and never go out.
 */
export function engineProblem(error: unknown): unknown {
  const text = error instanceof Error ? error.message : ''
  if (text.startsWith('Out of Memory Error')) {
    return new OutOfMemory(
      'too_large',
      'The query needs more memory than the store may use; narrow it or group by fewer values',
    )
  }
  // What reads patterns when they are parsed allows for more.
  if (text.includes('pattern too large')) {
    return new Problem('invalid_pipeline', 'A regular expression is too large; repeat less of it ({n}, \\p{…})')
  }
  // A deadline's interrupt is told apart before; what remains is the store ending its queries.
  if (text.startsWith('INTERRUPT Error')) return storeClosing()
  if (FAULT.test(text) || isSystemError(error)) return storeFault(error)
  return error
}

/** The store's files fail it. The cause is for the log; only its kind is shaped into an answer. */
export function storeFault(cause: unknown): Problem {
  const why = FAULT_WORDS[faultClass(cause)]
  const problem = new Problem(
    'store_unavailable',
    `The store cannot read or write its files at the moment${why === undefined ? '' : `: ${why}`}`,
    { retryAfter: RETRY_AFTER_S },
  )
  problem.cause = cause
  return problem
}

/**
 * Whether the engine is of no more use: after a fault that leaves open what its files hold, such as a checkpoint cut
 * short by a full disk or a failed sync, it refuses everything until its files are opened anew.
 */
export function isInvalidated(error: unknown): boolean {
  const cause = error instanceof Problem ? error.cause : error
  return cause instanceof Error && /has been invalidated|^FATAL Error/.test(cause.message)
}

/** A commit that fails does so for its files: writers don't conflict, there is one. */
const FAULT = /^(IO|FATAL) Error|has been invalidated|^TransactionContext Error: Failed to commit/

/** Seconds after which a refused caller may try again; chosen, not measured. */
const RETRY_AFTER_S = 5

/** A failure of the file system, as Node reports it. */
function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error
}
