import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Requester } from './requester.js'
import type { Share, Shares } from './shares.js'

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/**
 * Takes room for the body of a request before any of it is read, as much as it says it has; one that does not say takes it as it
 * comes. It is given back when the exchange is over.
 * @param maxBytes how much is read at most: one that is larger is refused, and takes none
 * @throws Problem `too_many_requests` or `busy` where there is no room
 */
export function takeBody(
  bodies: Shares,
  requester: Requester,
  { request, response }: Exchange,
  maxBytes: number,
): Share {
  const said = Number(request.headers['content-length'] ?? 0)
  const share = bodies.take(requester, said <= maxBytes ? said : 0)
  // The client may have left while it was looked up who it is.
  if (response.closed) share.release()
  else response.once('close', () => share.release())
  return share
}
