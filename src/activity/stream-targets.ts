import { once } from 'node:events'
import { open, readFile } from 'node:fs/promises'
import { connect, type TLSSocket } from 'node:tls'
import { fileURLToPath } from 'node:url'
import type { ActivityRecord } from '../store/activity-record.js'
import { syslogFrame } from './syslog-frame.js'

/** Where the audit trail is streamed to. */
export interface StreamTarget {
  /** Takes events in their order. Resolves to the number of the last one that is there for sure, as far as is known. */
  send(events: readonly ActivityRecord[]): Promise<number | undefined>
  /** The same once more, when nothing was sent for a while. @throws Error where what was sent may be lost */
  settled(): number | undefined
  /** Ends in order; resolves to the number of the last event that got there. */
  close(): Promise<number | undefined>
}

/** Appends lines of JSON to a file, each batch durable. It is opened anew every time, so that it may be rotated away. */
function fileTarget(path: string): StreamTarget {
  return {
    send: async events => {
      const file = await open(path, 'a', 0o600)
      try {
        await file.appendFile(events.map(event => `${JSON.stringify(event)}\n`).join(''))
        await file.datasync()
      } finally {
        await file.close()
      }
      return events.at(-1)?.seq
    },
    settled: () => undefined,
    close: async () => undefined,
  }
}

/**
 * Milliseconds after which what was written counts as arrived while the connection still stands: syslog has no
 * acknowledgement, and what was written into a connection that breaks is sent again.
 */
const SETTLED_MS = 5_000
const CONNECT_MS = 10_000
const CLOSE_MS = 3_000

/** What was written and may still be lost. */
interface Written {
  readonly seq: number
  readonly at: number
}

/**
 * The target that an address names.
 * @param address `file:///…` or `syslog+tls://host:port`, checked by the configuration
 * @param caFile certificates that a collector is trusted by, in place of those that are known
 */
export function streamTarget(address: string, caFile: string | undefined): StreamTarget {
  const url = new URL(address)
  return url.protocol === 'file:' ? fileTarget(fileURLToPath(url)) : new SyslogTarget(url, caFile)
}

/** A collector of syslog over TLS. @param caFile certificates it is trusted by, in place of those that are known */
export class SyslogTarget implements StreamTarget {
  readonly #host: string
  readonly #port: number
  readonly #caFile: string | undefined
  readonly #settledMs: number
  #socket: TLSSocket | undefined
  #written: Written[] = []

  constructor(url: URL, caFile: string | undefined, settledMs = SETTLED_MS) {
    this.#host = url.hostname.replaceAll(/[[\]]/g, '')
    this.#port = Number(url.port === '' ? '6514' : url.port)
    this.#caFile = caFile
    this.#settledMs = settledMs
  }

  async send(events: readonly ActivityRecord[]): Promise<number | undefined> {
    const socket = await this.#connected()
    for (const event of events) {
      // oxlint-disable-next-line no-await-in-loop -- no more waits here than the connection takes
      if (!socket.write(syslogFrame(event))) await drained(socket)
    }
    const last = events.at(-1)
    if (last !== undefined) this.#written.push({ seq: last.seq, at: performance.now() })
    return this.settled()
  }

  settled(): number | undefined {
    if (this.#socket === undefined) return undefined
    if (this.#socket.destroyed && this.#written.length > 0) throw this.#broken()
    const until = performance.now() - this.#settledMs
    const there = this.#written.findLast(({ at }) => at <= until)
    if (there !== undefined) this.#written = this.#written.filter(({ at }) => at > until)
    return there?.seq
  }

  async close(): Promise<number | undefined> {
    const socket = this.#socket
    const last = this.#written.at(-1)
    if (socket === undefined || socket.destroyed) return undefined
    // What the other end closes in order it has read to the end.
    const ended = once(socket, 'end', { signal: AbortSignal.timeout(CLOSE_MS) }).then(
      () => true,
      () => false,
    )
    socket.end()
    const isThere = await ended
    socket.destroy()
    return isThere ? last?.seq : undefined
  }

  /** Whoever streams begins again where it is sure. */
  #broken(): Error {
    this.#written = []
    this.#socket?.destroy()
    this.#socket = undefined
    return new Error('the connection to the collector of syslog broke')
  }

  async #connected(): Promise<TLSSocket> {
    if (this.#socket !== undefined && !this.#socket.destroyed && this.#socket.writable) return this.#socket
    if (this.#written.length > 0) throw this.#broken()
    this.#socket?.destroy()
    const ca = this.#caFile === undefined ? undefined : await readFile(this.#caFile)
    const socket = connect({
      host: this.#host,
      port: this.#port,
      minVersion: 'TLSv1.2',
      servername: /^[\d.]+$|:/.test(this.#host) ? '' : this.#host,
      ...(ca !== undefined && { ca }),
    })
    // A collector says nothing; its end has to be heard.
    socket.resume()
    try {
      await once(socket, 'secureConnect', { signal: AbortSignal.timeout(CONNECT_MS) })
    } catch (error) {
      socket.destroy()
      throw error
    }
    socket.setKeepAlive(true, CONNECT_MS)
    socket.on('error', () => undefined)
    socket.on('end', () => socket.destroy())
    this.#socket = socket
    return socket
  }
}

/** Waits until a connection takes more. Rejects when it breaks. */
async function drained(socket: TLSSocket): Promise<void> {
  const gone = new AbortController()
  const closed = () => gone.abort(new Error('the connection to the collector of syslog broke'))
  socket.once('close', closed)
  try {
    if (socket.destroyed) closed()
    await once(socket, 'drain', { signal: gone.signal })
  } finally {
    socket.off('close', closed)
  }
}
