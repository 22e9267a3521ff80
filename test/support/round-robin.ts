import { once } from 'node:events'
import {
  createServer,
  request as ask,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'

/** A plain proxy as it stands before several processes. It knows nothing of sessions. */
export interface RoundRobin {
  readonly url: string
  /** Requests that each of the processes that are there now was given. */
  served(): readonly number[]
  close(): Promise<void>
}

/** Of one connection, not of what is asked over it (RFC 9110, 7.6.1): told onward, a client would count on how long another stays open. */
const OF_CONNECTION: ReadonlySet<string> = new Set(['connection', 'keep-alive'])

/** An idle connection stays open for longer than any client of a test pauses: one that is closed while it is written to is a failure of the proxy's. */
const KEEP_ALIVE_MS = 60_000

const onwardOf = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_CONNECTION.has(name)))

interface Asked {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly body: Buffer
}

/**
 * Each request goes to the next process, whoever sent it. Where nobody listens the one after is tried; an answer that breaks off breaks
 * off for the client too.
 * @param upstreams where the processes are at the moment
 */
export async function roundRobin(upstreams: () => readonly string[]): Promise<RoundRobin> {
  const served = new Map<string, number>()
  let turn = 0
  const pass = (asked: Asked, [upstream, ...others]: readonly string[]): void => {
    const { request, response, body } = asked
    if (upstream === undefined) {
      response.destroy()
      return
    }
    served.set(upstream, (served.get(upstream) ?? 0) + 1)
    const { hostname, port } = new URL(upstream)
    const headers = { ...onwardOf(request.headers), host: `${hostname}:${port}` }
    const onward = ask({ hostname, port, method: request.method, path: request.url, headers }, answer => {
      response.writeHead(answer.statusCode ?? 502, onwardOf(answer.headers))
      answer.pipe(response)
      answer.on('error', () => response.destroy())
      answer.on('aborted', () => response.destroy())
    })
    onward.on('error', (error: NodeJS.ErrnoException) => {
      // Only what was refused before it was sent may be sent to another.
      if (error.code === 'ECONNREFUSED' && !response.headersSent) pass(asked, others)
      else response.destroy()
    })
    // Whoever goes away is gone at the other end too.
    response.on('close', () => onward.destroy())
    onward.end(body)
  }
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const all = upstreams()
      turn += 1
      const first = turn % Math.max(1, all.length)
      pass({ request, response, body: Buffer.concat(parts) }, [...all.slice(first), ...all.slice(0, first)])
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    served: () => upstreams().map(upstream => served.get(upstream) ?? 0),
    close: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
