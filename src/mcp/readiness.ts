import { failure, type HttpAnswer } from './http-answer.js'
import type { ToolServerParts } from './tool-server-parts.js'

interface ReadinessParts {
  readonly server: string
  /** Number of registered tools; nothing when the registry failed to load. */
  readonly tools: number | undefined
  readonly ready: ToolServerParts['ready']
  readonly stopping: () => boolean
}

/** Longest wait for what stands behind the tools, milliseconds. */
const PATIENCE_MS = 2_000

/**
 * Answers /ready: 200, or 503 with one word for the reason. Requests that come together share one look at the store, for
 * anyone may ask.
 */
export class Readiness {
  readonly #parts: ReadinessParts
  #asking: Promise<string | undefined> | undefined

  constructor(parts: ReadinessParts) {
    this.#parts = parts
  }

  async answer(): Promise<HttpAnswer> {
    const reason = await this.#reason()
    const { server, tools } = this.#parts
    if (reason === undefined) return { status: 200, body: { status: 'ready', server, tools } }
    return { ...failure(503, 'Not ready', reason), headers: { 'retry-after': '5' } }
  }

  async #reason(): Promise<string | undefined> {
    const { tools, stopping } = this.#parts
    if (stopping()) return 'stopping'
    if (tools === undefined) return 'tools_not_loaded'
    if (tools === 0) return 'no_tools'
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined
    })
    return await this.#asking
  }

  async #ask(): Promise<string | undefined> {
    let timer: NodeJS.Timeout | undefined
    const patience = new Promise<string>(resolve => {
      timer = setTimeout(() => resolve('store_unavailable'), PATIENCE_MS)
    })
    try {
      return await Promise.race([this.#parts.ready(), patience])
    } catch {
      return 'store_unavailable'
    } finally {
      clearTimeout(timer)
    }
  }
}
