import type { Socket } from 'node:net'

const MALFORMED = { status: '400 Bad Request', error: 'The request is not valid HTTP', code: 'invalid_input' }

/** What Node can't take as a request, by its error code. */
const UNREADABLE: Readonly<Record<string, typeof MALFORMED>> = {
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    error: 'The request headers are larger than the limit',
    code: 'too_large',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    error: 'The request did not arrive in time',
    code: 'deadline_exceeded',
  },
}

/** Answers what could not be read as a request with a JSON error like any other, and closes. */
export function refuseUnreadable(cause: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || cause.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const { status, error, code } = UNREADABLE[cause.code ?? ''] ?? MALFORMED
  const body = JSON.stringify({ error, code })
  const head = `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}`
  socket.end(`${head}\r\nConnection: close\r\n\r\n${body}`)
}
