import { PIECE_BYTES, piecesOf } from '../base/pieces-of.js'
import type { RequestContext } from './request-context.js'

// Our own adapter between node:http and the SDK's web-standard handlers, because the SDK's writes every body it was
// handed parsed back to JSON first, puts the raw token into the request that
// handlers see, and can't be told that a request was ended while its answer was being made.

/** Answers a request through a web-standard handler. The handler's request has no body: it was read before. */
export async function serveFetch(
  request: RequestContext,
  handle: (request: Request) => Promise<Response> | Response,
  { signalled = false }: { readonly signalled?: boolean } = {},
): Promise<void> {
  const response = await handle(webRequest(request, signalled))
  const { res } = request
  if (request.over || res.headersSent) {
    await response.body?.cancel()
    return
  }
  const headers = Object.fromEntries(response.headers)
  if (response.headers.get('content-type')?.startsWith('text/event-stream') === true) {
    request.becomeStream()
    res.writeHead(response.status, headers)
    res.flushHeaders()
    await stream(request, response)
    return
  }
  const body = Buffer.from(await response.arrayBuffer())
  // The request may have been ended while the body was being read.
  if (request.over || res.headersSent) return
  request.refuseChanged()
  res.writeHead(response.status, { ...headers, 'content-length': body.byteLength })
  if (body.byteLength <= PIECE_BYTES) {
    res.end(body)
    return
  }
  try {
    await inPieces(request, body)
  } catch (error) {
    // It can't be ended as anything else any more.
    res.destroy()
    throw error
  }
  if (!res.writableEnded) res.end()
}

/** Only what the SDK reads: neither the token nor cookies nor the query go further. */
const FORWARDED = new Set([
  'accept',
  'content-type',
  'last-event-id',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'mcp-session-id',
])

function webRequest({ req, signal }: RequestContext, signalled: boolean): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(req.headers)) {
    if (typeof value !== 'string') continue
    if (FORWARDED.has(name) || name.startsWith('mcp-param-')) headers.set(name, value)
  }
  return new Request('http://localhost/mcp', { method: req.method ?? 'GET', headers, ...(signalled ? { signal } : {}) })
}

async function stream(request: RequestContext, response: Response): Promise<void> {
  const { res, signal } = request
  const reader = response.body?.getReader()
  if (reader === undefined) {
    res.end()
    return
  }
  const leave = (): void => void reader.cancel().catch(() => undefined)
  signal.addEventListener('abort', leave, { once: true })
  if (signal.aborted) leave()
  try {
    for (;;) {
      const { done, value } = (await reader.read()) as { done: boolean; value?: Uint8Array }
      if (done || value === undefined || signal.aborted) break
      await inPieces(request, value)
    }
  } catch (error) {
    leave()
    throw error
  }
  if (!res.writableEnded) res.end()
}

/**
 * Sends bytes as fast as they are taken, and looks at each piece before it leaves: what a slow reader has yet to take may be told to
 * nobody by then.
 * @param asked the request that they are an answer to, where it is another one; undefined: they are no answer
 */
export async function inPieces(
  request: RequestContext,
  bytes: Uint8Array,
  asked: Pick<RequestContext, 'refuseChanged'> | undefined = request,
): Promise<void> {
  const { res, signal } = request
  for (const piece of piecesOf(bytes)) {
    if (signal.aborted) return
    asked?.refuseChanged()
    // oxlint-disable-next-line no-await-in-loop -- a piece after the other
    if (!res.write(piece)) await drained(res, signal)
  }
}

function drained(res: RequestContext['res'], signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const go = (): void => {
      res.off('drain', go)
      signal.removeEventListener('abort', go)
      resolve()
    }
    res.once('drain', go)
    signal.addEventListener('abort', go, { once: true })
  })
}
