import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Milliseconds a connection stays open behind an answer that came before all of its request: long enough for the client to read
 * why, and no reason to go on sending.
 */
export const LINGER_MS = 5_000

/**
 * Requests of one connection that are not answered yet. Clients send one after the other; whoever writes thousands of them into one
 * packet would have them all begun in one turn of the event loop.
 */
const MOST_PIPELINED = 32

export interface ConnectionLimits {
  /** Connections open at once; one more is closed as it comes. */
  readonly maxConnections: number
  /** Milliseconds without a byte for which a client is waited for; 0 = any time. */
  readonly idleMs: number
}

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/**
 * Ends connections that nothing comes of: one too many, those whose client keeps us waiting or asks on and on without waiting for
 * an answer, and those that were answered before their request was whole. A client that waits for us is never ended, however long we take: Node's own time-out of a socket counts
 * our work as silence.
 * @param server with all that listens to its requests
 */
export function watchConnections(server: Server, { maxConnections, idleMs }: ConnectionLimits): void {
  server.maxConnections = maxConnections
  dropPipelined(server)
  const exchanges = new WeakMap<Socket, Exchange>()
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    exchanges.set(socket, { request, response })
    response.once('finish', () => {
      if (!request.complete) destroyUnlessComplete(request, socket)
    })
  })
  if (idleMs === 0) return
  // That somebody listens keeps Node from ending the connection itself.
  server.setTimeout(idleMs, (socket: Socket) => {
    // With what it has: less where the server stops.
    if (isOurTurn(socket, exchanges.get(socket))) socket.setTimeout(socket.timeout ?? idleMs)
    else socket.destroy()
  })
}

/** Lets no request through to those that listen while too many of its connection wait. */
function dropPipelined(server: Server): void {
  const listening = server.listeners('request')
  const waiting = new WeakMap<Socket, number>()
  server.removeAllListeners('request')
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    const before = waiting.get(socket) ?? 0
    // What was read with it is still parsed to its end, but nothing is done with it.
    if (before >= MOST_PIPELINED) socket.destroy()
    if (socket.destroyed) return
    waiting.set(socket, before + 1)
    response.once('close', () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1))
    for (const listener of listening) Reflect.apply(listener, server, [request, response])
  })
}

/** @param socket the connection, which the request itself does not know any more where reading it was broken off */
function destroyUnlessComplete(request: IncomingMessage, socket: Socket): void {
  const timer = setTimeout(() => {
    if (!request.complete) socket.destroy()
  }, LINGER_MS)
  timer.unref()
  // When all of it has come, or the connection has gone: one that stays open is asked on again and again. A request whose reading was
  // broken off is closed too, and goes on coming.
  request.once('close', () => {
    if (request.complete || socket.destroyed) clearTimeout(timer)
  })
}

/** Whether the client has done its part: sent what we read on, and taken what we sent. */
function isOurTurn(socket: Socket, exchange: Exchange | undefined): boolean {
  if (exchange === undefined || exchange.response.writableFinished || socket.writableLength > 0) return false
  const { request, response } = exchange
  // What is not flowing we don't take at the moment.
  return response.writableLength === 0 && (request.complete || request.readableFlowing !== true)
}
