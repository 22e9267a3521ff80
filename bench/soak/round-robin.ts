import { createServer, request as ask, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Where the processes behind a proxy are at the moment; nobody is where none listens. */
type Upstreams = () => readonly string[]

/**
 * A plain proxy: each request goes to the next process, whoever sent it. Where nobody listens it tries the one after; an answer that
 * breaks off breaks off for the client too. It knows nothing of sessions.
 */
export class RoundRobin {
  readonly #server: Server
  readonly #upstreams: Upstreams
  #next = 0

  private constructor(upstreams: Upstreams) {
    this.#upstreams = upstreams
    this.#server = createServer((request, response) => this.#forward(request, response))
  }

  static async start(upstreams: Upstreams): Promise<RoundRobin> {
    const proxy = new RoundRobin(upstreams)
    await new Promise<void>(resolve => proxy.#server.listen(0, '127.0.0.1', resolve))
    return proxy
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise(resolve => this.#server.close(resolve))
  }

  #forward(request: IncomingMessage, response: ServerResponse): void {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const upstreams = this.#upstreams()
      this.#next += 1
      this.#try(upstreams, 0, { request, response, body: Buffer.concat(parts) }, this.#next)
    })
  }

  #try(
    upstreams: readonly string[],
    tried: number,
    asked: { readonly request: IncomingMessage; readonly response: ServerResponse; readonly body: Buffer },
    first: number,
  ): void {
    const { request, response, body } = asked
    const upstream = upstreams[(first + tried) % Math.max(1, upstreams.length)]
    if (upstream === undefined || tried >= upstreams.length) {
      response.destroy()
      return
    }
    const { hostname, port } = new URL(upstream)
    const { method, url: path, headers } = request
    const onward = ask(
      { hostname, port, method, path, headers: { ...headers, host: `${hostname}:${port}` } },
      answer => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
        answer.on('error', () => response.destroy())
        answer.on('aborted', () => response.destroy())
      },
    )
    onward.on('error', (error: NodeJS.ErrnoException) => {
      // Only what was refused before it was sent may be sent to another.
      if (error.code === 'ECONNREFUSED' && !response.headersSent) this.#try(upstreams, tried + 1, asked, first)
      else response.destroy()
    })
    response.on('close', () => onward.destroy())
    onward.end(body)
  }
}
