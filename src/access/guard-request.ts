import type { IncomingMessage } from 'node:http'
import { Problem } from '../base/problem.js'
import { requestTarget } from './request-target.js'

type Request = Pick<IncomingMessage, 'headersDistinct' | 'url'>

interface Guarded {
  /** Hosts under which the listener may be addressed, with or without a port; IPv6 in brackets. */
  readonly allowedHosts: readonly string[]
  /** Origins (scheme, host and port) of web pages that may send requests, besides the allowed hosts themselves. */
  readonly allowedOrigins: readonly string[]
}

/**
 * Refuses what no program sends and a web page could: a Host that is not ours (DNS rebinding), in the header or in the
 * request line, or an Origin that is not allowed. Programs send no Origin and pass.
 * @throws Problem `forbidden`
 */
export function guardRequest(request: Request, allowed: Guarded): void {
  const host = sole(request, 'host')
  const { authority = host } = requestTarget(request.url ?? '')
  if (![host, authority].every(one => isAllowedHost(one, allowed.allowedHosts))) {
    throw new Problem('forbidden', 'This Host is not allowed; the operator names the allowed ones')
  }
  if (request.headersDistinct['origin'] !== undefined && !isAllowedOrigin(sole(request, 'origin'), allowed)) {
    throw new Problem('forbidden', 'This Origin is not allowed; the operator names the allowed ones')
  }
}

function sole({ headersDistinct }: Request, name: string): string {
  const values = headersDistinct[name] ?? []
  return values.length === 1 ? (values[0] ?? '') : ''
}

/** Whether a Host is this machine's own, as a client on it writes it. */
export function isLoopbackHost(host: string): boolean {
  return /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/.test(host)
}

/** An entry without a port allows the host on any. */
function isAllowedHost(host: string, allowedHosts: readonly string[]): boolean {
  const written = host.toLowerCase()
  const name = written.replace(/:\d*$/, '')
  return allowedHosts.some(entry => [written, name].includes(entry.toLowerCase()))
}

function isAllowedOrigin(origin: string, { allowedHosts, allowedOrigins }: Guarded): boolean {
  if (allowedOrigins.includes(origin)) return true
  if (!URL.canParse(origin)) return false
  const { protocol, host, origin: plain } = new URL(origin)
  // As browsers write it: nothing but scheme, host and port.
  return /^https?:$/.test(protocol) && plain === origin.toLowerCase() && isAllowedHost(host, allowedHosts)
}
