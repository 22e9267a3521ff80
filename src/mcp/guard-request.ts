import type { IncomingMessage } from 'node:http'
import { validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server'
import { failure, type HttpAnswer } from './http-answer.js'

interface GuardSettings {
  readonly allowedHosts: readonly string[]
  readonly allowedOrigins: readonly string[]
}

/**
 * What a request is refused with before anyone asks who sent it: a Host that is not ours (DNS rebinding), or an Origin
 * that is not allowed. Programs send no Origin and pass.
 */
export function guardRequest(req: IncomingMessage, settings: GuardSettings): HttpAnswer | undefined {
  if ((req.headersDistinct['host']?.length ?? 0) > 1) {
    return failure(400, 'The request has more than one Host header', 'invalid_input')
  }
  if (!validateHostHeader(req.headers.host, [...settings.allowedHosts]).ok) {
    return failure(403, 'This Host is not allowed; the operator names the allowed ones', 'forbidden')
  }
  if (!validateOriginHeader(req.headers.origin, [...settings.allowedOrigins]).ok) {
    return failure(403, 'This Origin is not allowed; the operator names the allowed ones', 'forbidden')
  }
  return undefined
}
