import type { ServerResponse } from 'node:http'
import { shapeError } from '../base/shape-error.js'

/** An answer given before or instead of the protocol's own. */
export interface HttpAnswer {
  readonly status: number
  readonly body: object
  readonly headers?: Readonly<Record<string, string>>
}

/** A plain HTTP failure: `{"error": …, "code": …}`. */
export function failure(status: number, error: string, code: string): HttpAnswer {
  return { status, body: { error, code } }
}

/**
 * Any failure as an HTTP answer: the body of shapeError, with the header that goes with its status.
 * @param challenge what a 401 says of how to get in. It names no metadata where there is no sign-in: clients would start a
 *   flow that can't end.
 */
export function failureOf(
  error: unknown,
  logCause: (reference: string, cause: unknown) => void,
  challenge = 'Bearer',
): HttpAnswer {
  const { status, body, retryAfter } = shapeError(error, logCause)
  const headers = {
    ...(status === 401 ? { 'www-authenticate': challenge } : {}),
    ...(retryAfter === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfter)) }),
  }
  return { status, body, headers }
}

/** A failure in the protocol's own form, for bodies and headers that only the protocol can find wrong. */
export function rpcFailure(
  status: number,
  code: number,
  message: string,
  more: { readonly id?: string | number | null; readonly data?: object } = {},
): HttpAnswer {
  const error = { code, message, ...(more.data === undefined ? {} : { data: more.data }) }
  return { status, body: { jsonrpc: '2.0', error, id: more.id ?? null } }
}

/** Sends the answer, unless another was begun or the client has left. */
export function send(res: ServerResponse, answer: HttpAnswer): void {
  if (res.headersSent || res.destroyed) return
  const text = Buffer.from(JSON.stringify(answer.body))
  res.writeHead(answer.status, {
    'content-type': 'application/json',
    'content-length': text.byteLength,
    'cache-control': 'no-store',
    ...answer.headers,
  })
  res.end(text)
}
