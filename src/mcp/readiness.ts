import type { NotReady } from '../base/not-ready.js'
import { sharedLook } from '../base/shared-look.js'
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
const READY_PROBE_TIMEOUT_MS = 2_000

/**
 * Answers /ready: 200, or 503 with one word for the reason. Requests that come together share one look at the store, for
 * anyone may ask.
 */
export class Readiness {
  readonly #parts: ReadinessParts
  readonly #look: () => Promise<NotReady | undefined>

  constructor(parts: ReadinessParts) {
    this.#parts = parts
    this.#look = sharedLook(() => parts.ready(), READY_PROBE_TIMEOUT_MS)
  }

  async answer(): Promise<HttpAnswer> {
    const reason = await this.#reason()
    const { server, tools } = this.#parts
    if (reason === undefined) return { status: 200, body: { status: 'ready', server, tools } }
    const { code, cause } = reason
    const { status, body } = failure(503, 'Not ready', code)
    return { status, body: { ...body, ...(cause === undefined ? {} : { cause }) }, headers: { 'retry-after': '5' } }
  }

  async #reason(): Promise<NotReady | undefined> {
    const { tools, stopping } = this.#parts
    if (stopping()) return { code: 'stopping' }
    if (tools === undefined) return { code: 'tools_not_loaded' }
    if (tools === 0) return { code: 'no_tools' }
    return await this.#look()
  }
}
