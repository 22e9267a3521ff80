import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Certificate } from '../base/certificate.js'
import { connectionEvent, createHttpServer, urlOf } from '../base/http-server.js'
import { KEEP_ALIVE_MS } from '../base/keep-alive.js'
import { refuseUnreadable } from '../base/refuse-unreadable.js'
import { watchConnections } from '../base/watch-connections.js'
import type { ToolServerSettings } from './tool-server-parts.js'

/** Milliseconds for the headers and for the whole request to arrive. Neither limits how long an answer takes. */
const HEADERS_MS = 15_000
const REQUEST_MS = 60_000

/** A listener of HTTP that drops what is malformed, too slow to arrive, or too slow to be taken. */
export class HttpListener {
  readonly #server: Server
  readonly #certificate: Certificate | undefined
  readonly #slowReaders: SlowReaders

  constructor(
    handle: (req: IncomingMessage, res: ServerResponse) => void,
    {
      maxHeaderBytes,
      slowReaderMs,
      maxConnections,
    }: Pick<ToolServerSettings, 'maxHeaderBytes' | 'slowReaderMs' | 'maxConnections'>,
    certificate?: Certificate,
  ) {
    this.#certificate = certificate
    this.#slowReaders = new SlowReaders(slowReaderMs)
    this.#server = createHttpServer(
      {
        maxHeaderSize: maxHeaderBytes,
        headersTimeout: HEADERS_MS,
        requestTimeout: REQUEST_MS,
        keepAlive: true,
        keepAliveTimeout: KEEP_ALIVE_MS,
      },
      handle,
      certificate,
    )
    // Streams are silent for as long as nothing happens; who does not take what they say is ended by the slow readers' watch.
    watchConnections(this.#server, { maxConnections, idleMs: 0 })
    this.#server.on(connectionEvent(certificate), (socket: Socket) => this.#slowReaders.watch(socket))
    this.#server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) =>
      refuseUnreadable(error, socket, maxHeaderBytes),
    )
  }

  /** Starts to listen; port 0 takes a free one. Rejects with Node's error when the address can't be had. */
  async listen(host: string, port: number): Promise<{ url: string; port: number }> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(port, host, () => {
        this.#server.off('error', reject)
        resolve()
      })
    })
    return urlOf(this.#server, this.#certificate)
  }

  /** Takes no more connections; the ones that are open go on. Resolves when the last one is gone. */
  async stopAccepting(): Promise<void> {
    this.#slowReaders.stop()
    if (!this.#server.listening) return
    await new Promise<void>(resolve => this.#server.close(() => resolve()))
  }

  /** Breaks the connections that are still open. */
  breakConnections(): void {
    this.#server.closeAllConnections()
  }
}

/**
 * Drops clients that stop taking what they asked for. Node has no time-out for this: writing counts as activity, and a
 * heartbeat is written to a stalled client too.
 */
export class SlowReaders {
  readonly #patienceMs: number
  readonly #stalled = new Map<Socket, { taken: number; since: number }>()
  readonly #timer: NodeJS.Timeout

  constructor(patienceMs: number) {
    this.#patienceMs = patienceMs
    this.#timer = setInterval(() => this.sweep(), Math.max(10, patienceMs / 3))
    this.#timer.unref()
  }

  watch(socket: Socket): void {
    this.#stalled.set(socket, { taken: 0, since: Date.now() })
    socket.once('close', () => this.#stalled.delete(socket))
  }

  sweep(now = Date.now()): void {
    for (const [socket, last] of this.#stalled) {
      const taken = socket.bytesWritten - socket.writableLength
      if (socket.writableLength === 0 || taken !== last.taken) this.#stalled.set(socket, { taken, since: now })
      else if (now - last.since >= this.#patienceMs) socket.destroy()
    }
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}
