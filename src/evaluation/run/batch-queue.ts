import type { BatchCall } from '../../store/model-batch-store.js'
import type { BATCH_LIMITS, BatchRequest } from '../model/batch-client.js'
import { plus, type Tokens } from '../model/model-account.js'

/** Requests that are to go together. */
export class BatchQueue {
  readonly calls: BatchCall[] = []
  expected: Required<Tokens> = { input: 0, output: 0, cacheRead: 0, cacheWritten: 0 }
  readonly #bodies = new Map<string, string>()
  readonly #beta = new Set<string>()
  #bytes = 0
  readonly #limits: typeof BATCH_LIMITS

  constructor(limits: typeof BATCH_LIMITS) {
    this.#limits = limits
  }

  holds(request: string): boolean {
    return this.#bodies.has(request)
  }

  isFull(body: string): boolean {
    const { requests, bytes } = this.#limits
    return this.#bodies.size >= requests || this.#bytes + Buffer.byteLength(body) > bytes
  }

  add(call: BatchCall, body: string, beta: string | undefined, expected: Tokens): void {
    this.calls.push(call)
    this.#bodies.set(call.request, body)
    this.#bytes += Buffer.byteLength(body)
    this.expected = plus(this.expected, expected)
    if (beta !== undefined) this.#beta.add(beta)
  }

  /** A call about which the same is asked: one answer is for both. */
  join(call: BatchCall): void {
    this.calls.push(call)
  }

  requests(): BatchRequest[] {
    return [...this.#bodies].map(([id, body]) => ({ id, body }))
  }

  /** Features that the requests need, as a header names them. */
  get beta(): string | undefined {
    return this.#beta.size === 0 ? undefined : [...new Set([...this.#beta].flatMap(one => one.split(',')))].join(',')
  }
}
