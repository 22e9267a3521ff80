import { type IncomingMessage, request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { type AddressRules, isLoopbackAddress } from './address-rules.js'
import { checkedLookup } from './checked-lookup.js'
import { DeliveryFailure, type FailureWord, failureWord } from './delivery-failure.js'
import { literalOf } from './literal-of.js'
import { type ResolveName, resolveName } from './resolve-name.js'

/** Milliseconds for one attempt: finding the address, connecting, sending and the head of the answer. */
const ATTEMPT_MS = 10_000
/** Bytes of an answer's body that are let in, and dropped, before the connection is. */
const BODY_BYTES = 16 * 1024

/** What is kept of an attempt. */
export type Answer = { readonly durationMs: number } & ({ readonly status: number } | { readonly failure: FailureWord })

export interface PostOptions {
  readonly rules: AddressRules
  readonly resolve?: ResolveName
  readonly timeoutMs?: number
  /** Breaks the attempt off; its answer is a failure then. */
  readonly signal?: AbortSignal
}

/**
 * Sends a body to an address the rules allow, over a connection of its own. Redirects are not followed, nothing of the
 * answer but its status is kept. Never rejects.
 */
export async function post(
  address: string,
  message: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
  options: PostOptions,
): Promise<Answer> {
  const started = performance.now()
  try {
    const status = await statusOf(new URL(address), message, options)
    return { status, durationMs: performance.now() - started }
  } catch (error) {
    return { failure: failureWord(error), durationMs: performance.now() - started }
  }
}

function statusOf(
  url: URL,
  { headers, body }: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
  { rules, resolve = resolveName, timeoutMs = ATTEMPT_MS, signal }: PostOptions,
): Promise<number> {
  const loopbackOnly = url.protocol !== 'https:'
  const literal = literalOf(url)
  // A connection to an address looks nothing up.
  if (literal !== undefined && !(rules.allows(literal) && (!loopbackOnly || isLoopbackAddress(literal)))) {
    return Promise.reject(new DeliveryFailure('address_not_allowed'))
  }
  return new Promise((resolveStatus, reject) => {
    const send = loopbackOnly ? httpRequest : httpsRequest
    const request = send(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      // A connection of its own: none is left open to an address that was checked long ago.
      agent: false,
      lookup: checkedLookup({ resolve, rules, loopbackOnly }),
      // Whatever the environment says.
      rejectUnauthorized: true,
      maxHeaderSize: BODY_BYTES,
    })
    const end = (error: Error) => request.destroy(error)
    const timer = setTimeout(() => end(new DeliveryFailure('timeout')), timeoutMs)
    const abort = () => end(new DeliveryFailure('connection_failed'))
    signal?.addEventListener('abort', abort, { once: true })
    request.once('close', () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
      // Also where a connection ends without a word.
      reject(new DeliveryFailure('connection_failed'))
    })
    request.on('error', reject)
    request.once('response', response => {
      drop(response)
      resolveStatus(response.statusCode ?? 0)
    })
    request.end(body)
  })
}

/** Lets a little of the body in, so that the receiver can end in peace. */
function drop(response: IncomingMessage): void {
  let bytes = 0
  response.on('error', () => undefined)
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > BODY_BYTES) response.destroy()
  })
}
