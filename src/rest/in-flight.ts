import type { Server, ServerResponse } from 'node:http'

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

  /** Resolves once there is none, or after `patienceMs`. */
  async end(patienceMs: number): Promise<void> {
    if (this.#responses.size === 0) return
    let timer: NodeJS.Timeout | undefined
    await new Promise<void>(resolve => {
      this.#none = resolve
      timer = setTimeout(resolve, patienceMs)
    })
    clearTimeout(timer)
  }
}
