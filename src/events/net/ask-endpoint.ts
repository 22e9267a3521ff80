import { type IncomingMessage, request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { readBounded } from '../../base/read-bounded.js'

export interface EndpointRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
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

/** An answer of which nothing was read. */
export type OpenedAnswer = IncomingMessage

/**
 * Asks an operator's own endpoint. Redirects are not followed. Not by `fetch`, which gives up after five minutes without an
 * answer: a server that transcribes on a processor may take longer.
 * @param keepsAlive the connection is used again, where many requests follow each other
 * @throws an error of the connection or of the signal
 */
export async function openEndpoint(
  { method, url, headers, body }: EndpointRequest,
  { signal, keepsAlive }: { readonly signal: AbortSignal; readonly keepsAlive: boolean },
): Promise<OpenedAnswer> {
  return await new Promise<IncomingMessage>((resolve, reject) => {
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest
    const options = { method, headers, signal, ...(!keepsAlive && { agent: false }) }
    send(url, options, resolve).once('error', reject).end(body)
  })
}

/** The same, over a connection of its own, read to its end. @throws RangeError for an answer of more than `mostBytes` */
export async function askEndpoint(
  request: EndpointRequest,
  { mostBytes, signal }: { readonly mostBytes: number; readonly signal: AbortSignal },
): Promise<EndpointAnswer> {
  const response = await openEndpoint(request, { signal, keepsAlive: false })
  const tooLarge = () => new RangeError(`The answer has more than ${mostBytes} bytes`)
  const text = (await readBounded(response, mostBytes, tooLarge)).toString('utf8')
  return { status: response.statusCode ?? 0, headers: response.headers, text }
}
