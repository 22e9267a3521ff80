import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { shapeError } from '../base/shape-error.js'

/**
 * A failure as the protocol's own error, for requests whose results have no form for one: everything but tools/call.
 * What the caller got wrong is -32602, what we could not do -32603; `data` holds the body a tool would have answered.
 */
export function protocolFailure(error: unknown, logCause: (reference: string, cause: unknown) => void): ProtocolError {
  if (error instanceof ProtocolError) return error
  const { status, body } = shapeError(error, logCause)
  const reference = body.reference === undefined ? {} : { reference: body.reference }
  return new ProtocolError(CODES[status] ?? ProtocolErrorCode.InternalError, body.error, {
    error: body.error,
    ...reference,
  })
}

/** Statuses that tell of the caller's own input. */
const CODES: Readonly<Record<number, ProtocolErrorCode>> = {
  403: ProtocolErrorCode.InvalidParams,
  404: ProtocolErrorCode.InvalidParams,
  422: ProtocolErrorCode.InvalidParams,
}
