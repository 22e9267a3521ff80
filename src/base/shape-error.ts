import { randomUUID } from 'node:crypto'
import { Problem, type ProblemCode, type ProblemDetail } from './problem.js'

const STATUS: Readonly<Record<ProblemCode, number>> = {
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  conflict: 409,
  too_large: 413,
  unsupported_media_type: 415,
  invalid_input: 422,
  invalid_pipeline: 422,
  too_many_requests: 429,
  busy: 429,
  deadline_exceeded: 503,
  cancelled: 499,
  store_unavailable: 503,
  not_configured: 409,
}

/** What a failed request is answered with; the body is HTTP's, tools send only its `error` (see toolError). */
export interface ShapedError {
  readonly status: number
  readonly body: {
    readonly error: string
    readonly code: string
    readonly details?: readonly ProblemDetail[]
    readonly reference?: string
    readonly approval_id?: string
  }
  readonly retryAfter: number | undefined
}

/**
 * The one place where a failure becomes an answer. A Problem's text was written for the caller and goes out; of
 * anything else only a reference does, under which `logCause` receives the cause.
 */
export function shapeError(error: unknown, logCause: (reference: string, cause: unknown) => void): ShapedError {
  if (error instanceof Problem) {
    const details = error.details.length > 0 ? { details: error.details } : {}
    const approval = error.approvalId === undefined ? {} : { approval_id: error.approvalId }
    return {
      status: STATUS[error.code],
      body: { error: error.message, code: error.code, ...details, ...approval },
      retryAfter: error.retryAfter,
    }
  }
  const reference = randomUUID()
  logCause(reference, error)
  return { status: 500, body: { error: 'Internal error', code: 'internal', reference }, retryAfter: undefined }
}
