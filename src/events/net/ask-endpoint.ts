import { type IncomingMessage, request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'

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
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of response as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes > mostBytes) throw new RangeError(`The answer has more than ${mostBytes} bytes`)
    parts.push(part)
  }
  return { status: response.statusCode ?? 0, headers: response.headers, text: Buffer.concat(parts).toString('utf8') }
}
