import {
  createServer as createPlainServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
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
  if (certificate === undefined) return finishing(createPlainServer(options, handle), 'connection')
  const server = createTlsServer(
    { ...options, ...certificate.shown, minVersion: 'TLSv1.2', handshakeTimeout: HANDSHAKE_MS },
    handle,
  )
  // The session keys of the old one go with it: who comes again is shown the new one.
  certificate.onChange(shown => server.setSecureContext({ ...shown, minVersion: 'TLSv1.2' }))
  endUnagreed(server)
  return finishing(server, 'secureConnection')
}

/**
 * Where a server stops, Node takes a connection for idle as soon as its answer was given to it, and breaks it though most of a long answer
 * is still to be sent. Here it is idle when nothing has come since its last answer had gone.
 */
function finishing<S extends Server>(server: S, comes: 'connection' | 'secureConnection'): S {
  const open = new Map<Socket, { answering: number; read: number }>()
  const closeIfIdle = (socket: Socket): void => {
    const { answering, read } = open.get(socket) ?? { answering: 1, read: 0 }
    if (answering === 0 && socket.bytesRead === read) socket.destroy()
  }
  let isClosing = false
  server.on(comes, (socket: Socket) => {
    open.set(socket, { answering: 0, read: 0 })
    socket.once('close', () => open.delete(socket))
  })
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    const state = open.get(socket)
    if (state === undefined) return
    state.answering += 1
    response.once('close', () => {
      state.answering -= 1
      // Of a request that was answered before all of it came there is more to come.
      state.read = request.complete ? socket.bytesRead : -1
      if (isClosing) closeIfIdle(socket)
    })
  })
  server.closeIdleConnections = () => {
    isClosing = true
    for (const socket of open.keys()) closeIfIdle(socket)
  }
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
