import type { IncomingMessage } from 'node:http'
import { refuseUnreadable } from './refuse-unreadable.js'

/**
 * Ends a request whose body does not arrive within `ms`; 0 gives it any time. Node has such a limit too, but one for all requests, which must
 * leave uploads their time.
 */
export function arriveInTime(request: IncomingMessage, ms: number): void {
  if (ms === 0) return
  const timer = setTimeout(() => {
    if (request.complete) return
    refuseUnreadable(Object.assign(new Error('The body is late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), request.socket)
  }, ms)
  request.once('close', () => clearTimeout(timer))
}
