import { z } from 'zod'

/** What openid-client says of an exchange that failed, as far as it tells whose fault it was. */
const failure = z.object({
  code: z.string().optional().catch(undefined),
  /** What the provider itself calls it (RFC 6749, 5.2). */
  error: z.string().optional().catch(undefined),
  status: z.number().default(0).catch(0),
  cause: z
    .array(z.object({ scheme: z.string() }))
    .default([])
    .catch([]),
})

/** By which the provider answered nothing, or what is no answer. */
const UNANSWERED = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
])
const REFUSED_CLIENT = new Set(['invalid_client', 'unauthorized_client'])

/**
 * Whose fault it is that an exchange with the identity provider failed: the provider's, that did not answer; ours, whom it refuses
 * as a client; or (undefined) what was exchanged is not to be trusted.
 */
export function providerFault(error: unknown): 'unanswered' | 'our credentials' | undefined {
  const { code, error: said = '', status, cause } = failure.parse(error)
  // To a client that showed its secret in a header it may say so in one.
  if (REFUSED_CLIENT.has(said) || cause.some(({ scheme }) => scheme.toLowerCase() === 'basic')) return 'our credentials'
  // As fetch rejects: no name found, no connection, a connection that broke off.
  const isNetwork = error instanceof TypeError && code === undefined
  return isNetwork || status >= 500 || UNANSWERED.has(code ?? '') ? 'unanswered' : undefined
}
