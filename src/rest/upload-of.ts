import type { IncomingMessage } from 'node:http'
import { PassThrough, type Readable } from 'node:stream'
import type { Upload } from '../operations/operation.js'

/** The body of a request as an upload. */
export function uploadOf(request: IncomingMessage): Upload {
  const {
    'content-length': length,
    'content-encoding': encoding = 'identity',
    'content-type': type = '',
  } = request.headers
  return {
    open: () => bodyOf(request),
    length: length === undefined ? undefined : Number(length),
    type: type.split(';', 1)[0]?.trim().toLowerCase() ?? '',
    encoding: encoding.trim().toLowerCase(),
  }
}

/**
 * The body as a stream that may be destroyed before its end: then the rest is taken off the wire unread, so that the
 * answer still reaches the client. A body that breaks off fails the stream.
 */
function bodyOf(request: IncomingMessage): Readable {
  const body = new PassThrough()
  request.once('error', cause => body.destroy(cause))
  request.once('close', () => {
    if (!request.complete) body.destroy(new Error('The body broke off'))
  })
  body.once('close', () => {
    request.unpipe(body)
    request.resume()
  })
  return request.pipe(body)
}
