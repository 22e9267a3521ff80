import type { Socket } from 'node:net'
import { LINGER_MS } from './watch-connections.js'

/** What Node can't take as a request, by its error code. */
function refusalOf(cause: string | undefined, maxHeaderBytes: number) {
  switch (cause) {
    case 'HPE_HEADER_OVERFLOW':
      return {
        status: '431 Request Header Fields Too Large',
        error: `The request headers are larger than the limit of ${maxHeaderBytes} bytes`,
        code: 'too_large',
      }
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { status: '408 Request Timeout', error: 'The request did not arrive in time', code: 'deadline_exceeded' }
    default:
      return { status: '400 Bad Request', error: 'The request is not valid HTTP', code: 'invalid_input' }
  }
}

/**
 * Answers what could not be read as a request with a JSON error like any other, and closes: a little later also where the client
 * does not, since a server's half of a connection ends by itself.
 */
export function refuseUnreadable(cause: NodeJS.ErrnoException, socket: Socket, maxHeaderBytes: number): void {
  // Who did not come to terms over TLS, or never meant to, could not read it.
  if (!socket.writable || cause.code === 'ECONNRESET' || /^ERR_(SSL|TLS)_/.test(cause.code ?? '')) {
    socket.destroy()
    return
  }
  const { status, error, code } = refusalOf(cause.code, maxHeaderBytes)
  const body = JSON.stringify({ error, code })
  const head = `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}`
  socket.end(`${head}\r\nConnection: close\r\n\r\n${body}`)
  const timer = setTimeout(() => socket.destroy(), LINGER_MS)
  timer.unref()
  socket.once('close', () => clearTimeout(timer))
}
