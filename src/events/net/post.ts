import type { IncomingMessage } from 'node:http'
import { checkedRequest, type RequestOptions } from './checked-request.js'
import { type FailureWord, failureWord } from './delivery-failure.js'

/** Bytes of an answer's body that are let in, and dropped, before the connection is. */
const BODY_BYTES = 16 * 1024

/** What is kept of an attempt. */
export type Answer = { readonly durationMs: number } & ({ readonly status: number } | { readonly failure: FailureWord })

/**
 * Sends a body to an address the rules allow, over a connection of its own. Redirects are not followed, nothing of the
 * answer but its status is kept. Never rejects.
 */
export async function post(
  address: string,
  message: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
  options: RequestOptions,
): Promise<Answer> {
  const started = performance.now()
  try {
    const status = await checkedRequest(new URL(address), { method: 'POST', ...message }, options, response => {
      drop(response)
      return response.statusCode ?? 0
    })
    return { status, durationMs: performance.now() - started }
  } catch (error) {
    return { failure: failureWord(error), durationMs: performance.now() - started }
  }
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
