import { createServer as createPlainServer, type RequestListener, type Server, type ServerOptions } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Socket } from 'node:net'
import type { Certificate } from './certificate.js'

/** Milliseconds for a client to agree on how to talk. Until then its connection is one of those there may be at once. */
const HANDSHAKE_MS = 5_000

/** Longest time between two looks for requests that are too slow to arrive, milliseconds; Node's own is half a minute. */
const CHECK_MS = 2_000

/** A server of HTTP, over TLS where there is a certificate to show. */
export function createHttpServer(
  given: ServerOptions & { readonly headersTimeout: number },
  handle: RequestListener,
  certificate: Certificate | undefined,
): Server {
  const options = { ...given, connectionsCheckingInterval: Math.min(CHECK_MS, given.headersTimeout) }
  if (certificate === undefined) return createPlainServer(options, handle)
  const server = createTlsServer(
    { ...options, ...certificate.shown, minVersion: 'TLSv1.2', handshakeTimeout: HANDSHAKE_MS },
    handle,
  )
  // The session keys of the old one go with it: who comes again is shown the new one.
  certificate.onChange(shown => server.setSecureContext({ ...shown, minVersion: 'TLSv1.2' }))
  endUnagreed(server)
  return server
}

/** Node closes the connections it has spoken HTTP on; with one that is still agreeing it would wait for the handshake's time-out. */
function endUnagreed(server: ReturnType<typeof createTlsServer>): void {
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  const closeAll = server.closeAllConnections.bind(server)
  server.closeAllConnections = () => {
    closeAll()
    for (const socket of open) socket.destroy()
  }
}

/** The event with which a connection comes that can be read and written: over TLS the one within the other. */
export const connectionEvent = (certificate: Certificate | undefined) =>
  certificate === undefined ? 'connection' : 'secureConnection'

/** Where a server can be reached: `http://127.0.0.1:8000`. */
export function urlOf(server: Server, certificate: Certificate | undefined): { url: string; port: number } {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The listener has no address')
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return { url: `${certificate === undefined ? 'http' : 'https'}://${name}:${address.port}`, port: address.port }
}
