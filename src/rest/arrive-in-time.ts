import type { IncomingMessage } from 'node:http'
import { refuseUnreadable } from '../base/refuse-unreadable.js'
import type { ApiServerSettings } from './api-server-parts.js'

/**
 * Ends a request whose body does not arrive within `requestMs`; 0 gives it any time. Node has such a limit too, but one
 * for all requests, which must leave uploads their time.
 */
export function arriveInTime(
  request: IncomingMessage,
  { requestMs, maxHeaderBytes }: Pick<ApiServerSettings, 'requestMs' | 'maxHeaderBytes'>,
): void {
  if (requestMs === 0) return
  const timer = setTimeout(() => {
    if (request.complete) return
    const late = Object.assign(new Error('The body is late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
    refuseUnreadable(late, request.socket, maxHeaderBytes)
  }, requestMs)
  request.once('close', () => clearTimeout(timer))
}
