import { type IncomingMessage, request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { readBounded } from '../../base/read-bounded.js'

export interface EndpointRequest {
  readonly method: 'GET' | 'POST'
  /** An address that the operator configured: where it leads is not checked. */
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array
}

export interface EndpointAnswer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly text: string
}

/**
 * Asks an operator's own endpoint, over a connection of its own. Redirects are not followed. Not by `fetch`, which gives up after five
 * minutes without an answer: a server that transcribes on a processor may take longer.
 * @throws RangeError for an answer of more than `mostBytes`, or an error of the connection or of the signal
 */
export async function askEndpoint(
  { method, url, headers, body }: EndpointRequest,
  { mostBytes, signal }: { readonly mostBytes: number; readonly signal: AbortSignal },
): Promise<EndpointAnswer> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest
    send(url, { method, headers, signal, agent: false }, resolve).once('error', reject).end(body)
  })
  const tooLarge = () => new RangeError(`The answer has more than ${mostBytes} bytes`)
  const text = (await readBounded(response, mostBytes, tooLarge)).toString('utf8')
  return { status: response.statusCode ?? 0, headers: response.headers, text }
}
