import type { IncomingMessage } from 'node:http'

/**
 * The Authorization header, when there is exactly one. Node keeps the first of several and a proxy in front may check
 * another, so several count as malformed: an empty value, which no gate lets in.
 */
export function authorizationOf(req: IncomingMessage): string | undefined {
  const values = req.headersDistinct['authorization'] ?? []
  return values.length > 1 ? '' : values[0]
}
