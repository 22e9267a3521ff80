import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { refuseOnRecord } from '../access/refuse-on-record.js'
import type { Trail } from '../activity/audited.js'
import { closest } from '../base/closest.js'
import { Problem } from '../base/problem.js'
import { shapeError } from '../base/shape-error.js'
import { echo } from '../base/text.js'
import type { RequestContext } from './request-context.js'

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

/** The protocol's error for a name that stands for nothing: `Unknown tool: "x"; did you mean y?` */
export function unknownName(what: string, name: string, known: readonly string[]): ProtocolError {
  const near = closest(name, known)
  const hint = near === undefined ? '' : `; did you mean ${near}?`
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown ${what}: ${echo(name)}${hint}`)
}

/**
 * Puts on record that something was asked for that there is not. What it was called stays out: a page of the trail is
 * never a caller's text. Rejects when the trail can't be written.
 */
export async function recordUnknown(
  trail: Trail,
  { caller, requestId }: Pick<RequestContext, 'caller' | 'requestId'>,
  page: 'unknown tool' | 'unknown prompt' | 'unknown resource',
): Promise<void> {
  const refusal = new Problem('not_found', page)
  try {
    await refuseOnRecord(trail, refusal, caller, { page, requestId, transport: 'mcp' })
  } catch (error) {
    if (error !== refusal) throw error
  }
}
