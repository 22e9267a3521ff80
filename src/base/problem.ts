/**
 * The stable words a caller may branch on. The transports map each to a status; nothing else decides statuses.
 * Add a word here and the compiler asks every transport for its status.
 */
export type ProblemCode =
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'not_acceptable'
  | 'conflict'
  | 'invalid_input'
  | 'invalid_pipeline'
  | 'too_large'
  | 'unsupported_media_type'
  | 'too_many_requests'
  | 'busy'
  | 'deadline_exceeded'
  | 'cancelled'
  | 'store_unavailable'
  | 'not_configured'

/** One offending place in an input: a dotted path and a sentence. */
export interface ProblemDetail {
  readonly path: string
  readonly message: string
}

/**
 * A failure whose text was written by us for the caller: the only kind of error whose message may leave the process.
 * Everything else is answered as an internal error with a reference.
 */
export class Problem extends Error {
  override readonly name: string = 'Problem'
  readonly code: ProblemCode
  readonly details: readonly ProblemDetail[]
  /** Seconds after which trying again makes sense (busy, too_many_requests). */
  readonly retryAfter: number | undefined
  /** What waits for a second administrator, where that is why it was refused. */
  readonly approvalId: string | undefined

  constructor(
    code: ProblemCode,
    message: string,
    more: { details?: readonly ProblemDetail[]; retryAfter?: number; approvalId?: string } = {},
  ) {
    super(message)
    this.code = code
    this.details = more.details ?? []
    this.retryAfter = more.retryAfter
    this.approvalId = more.approvalId
  }
}

/** Why work has to end that a signal ended: what the signal says, where that is for the asker (a key that was revoked), or that it was cancelled. */
export function endedBy(signal: AbortSignal | undefined): Problem {
  const reason: unknown = signal?.reason
  return reason instanceof Problem ? reason : new Problem('cancelled', 'The request was cancelled')
}

/**
 * What ran longer than its limit, and what takes less.
 * @param limitMs the limit that who asked knows, in milliseconds; undefined where only somebody else knows it
 */
export function overTime(what: 'query' | 'pipeline' | 'answer', limitMs: number | undefined): Problem {
  const limit = limitMs === undefined ? '' : ` of ${Math.ceil(limitMs / 100) / 10} s`
  return new Problem(
    'deadline_exceeded',
    `The ${what} did not finish within its limit${limit}; fewer days, or a filter at the beginning, leave less to read`,
  )
}
