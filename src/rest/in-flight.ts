import type { Server, ServerResponse } from 'node:http'

/** Milliseconds that a server which stops waits for a client that neither sends on nor takes anything of its answer. */
const STALLED_MS = 2_000

/** The requests a server has begun to receive and not finished answering. */
export class InFlight {
  readonly #responses = new Set<ServerResponse>()
  #none: (() => void) | undefined

  constructor(server: Server) {
    server.on('request', (_request, response: ServerResponse) => {
      this.#responses.add(response)
      response.once('close', () => {
        this.#responses.delete(response)
        if (this.#responses.size === 0) this.#none?.()
      })
    })
  }

  /**
   * Resolves once there is none, or after `patienceMs`. Clients that stand still are waited for no longer than it takes to tell
   * (`watchConnections` ends them): an export that nobody reads on has no end.
   */
  async end(patienceMs: number): Promise<void> {
    if (this.#responses.size === 0) return
    for (const { socket } of this.#responses) socket?.setTimeout(STALLED_MS)
    let timer: NodeJS.Timeout | undefined
    await new Promise<void>(resolve => {
      this.#none = resolve
      timer = setTimeout(resolve, patienceMs)
    })
    clearTimeout(timer)
  }
}
