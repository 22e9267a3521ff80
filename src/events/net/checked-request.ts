import { type IncomingMessage, request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { type AddressRules, isLoopbackAddress } from './address-rules.js'
import { checkedLookup } from './checked-lookup.js'
import { DeliveryFailure } from './delivery-failure.js'
import { literalOf } from './literal-of.js'
import { type ResolveName, resolveName } from './resolve-name.js'

/** Milliseconds for one attempt: finding the address, connecting, sending, and what is taken of the answer. */
const ATTEMPT_MS = 10_000
const MOST_HEADER_BYTES = 16 * 1024

export interface RequestOptions {
  readonly rules: AddressRules
  readonly resolve?: ResolveName
  readonly timeoutMs?: number
  /** Breaks the attempt off; its answer is a failure then. */
  readonly signal?: AbortSignal
}

/**
 * Asks an address that the rules allow, over a connection of its own. Redirects are not followed.
 * @param take what is wanted of the answer, of which it ends the body or lets it go by
 * @throws DeliveryFailure, or an error of the connection
 */
export function checkedRequest<T>(
  url: URL,
  {
    method,
    headers,
    body = '',
  }: { readonly method: string; readonly headers: Readonly<Record<string, string>>; readonly body?: string },
  { rules, resolve = resolveName, timeoutMs = ATTEMPT_MS, signal }: RequestOptions,
  take: (response: IncomingMessage) => T | Promise<T>,
): Promise<T> {
  const loopbackOnly = url.protocol !== 'https:'
  const literal = literalOf(url)
  // A connection to an address looks nothing up.
  if (literal !== undefined && !(rules.allows(literal) && (!loopbackOnly || isLoopbackAddress(literal)))) {
    return Promise.reject(new DeliveryFailure('address_not_allowed'))
  }
  return new Promise((resolveTaken, reject) => {
    const send = loopbackOnly ? httpRequest : httpsRequest
    const request = send(url, {
      method,
      headers: { ...headers, ...(body !== '' && { 'content-length': Buffer.byteLength(body) }) },
      // A connection of its own: none is left open to an address that was checked long ago.
      agent: false,
      lookup: checkedLookup({ resolve, rules, loopbackOnly }),
      // Whatever the environment says.
      rejectUnauthorized: true,
      maxHeaderSize: MOST_HEADER_BYTES,
    })
    const end = (error: Error) => request.destroy(error)
    const timer = setTimeout(() => end(new DeliveryFailure('timeout')), timeoutMs)
    const abort = () => end(new DeliveryFailure('connection_failed'))
    signal?.addEventListener('abort', abort, { once: true })
    let isAnswered = false
    request.once('close', () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
      // Also where a connection ends without a word.
      if (!isAnswered) reject(new DeliveryFailure('connection_failed'))
    })
    request.on('error', reject)
    request.once('response', response => {
      isAnswered = true
      void Promise.resolve()
        .then(() => take(response))
        .then(resolveTaken, reject)
    })
    request.end(body)
  })
}
