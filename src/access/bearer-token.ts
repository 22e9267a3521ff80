import { Problem } from '../base/problem.js'

/** Longest header that is read; admin tokens of identity providers have a few kilobytes. */
const LONGEST = 8_192

// RFC 6750's b64token; exactly one, behind a scheme in any case.
const BEARER = /^bearer +([\w.~+/-]+=*)$/i

/**
 * The token of an `Authorization: Bearer <token>` header.
 * @throws Problem `unauthenticated` when the header is missing, too long or anything else
 */
export function bearerToken(authorization: string | undefined): string {
  const header = authorization ?? ''
  const token = header.length <= LONGEST ? BEARER.exec(header)?.[1] : undefined
  if (token === undefined) throw new Problem('unauthenticated', 'Authentication required')
  return token
}
