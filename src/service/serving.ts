import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Claim, Leases } from '../store/leases.js'

const PREFIX = 'serving:'
/** Between two tries to say it again, in milliseconds. */
const AGAIN_MS = 1_000

/** Says to commands which need a store for themselves that this process serves it, for as long as it does. */
export class Serving {
  readonly #leases: Leases
  /** Who it is, for people; no two are the same. */
  readonly #name = `${PREFIX}${hostname()}, process ${process.pid} (${randomUUID().slice(0, 8)})`
  #lease: Claim | undefined
  #again: NodeJS.Timeout | undefined
  #isOver = false

  constructor(leases: Leases) {
    this.#leases = leases
  }

  async start(): Promise<void> {
    const lease = await this.#leases.claim(this.#name)
    // Its own from before, where the store did not answer for as long as a lease lasts.
    if (lease === undefined) return this.#later()
    this.#lease = lease
    lease.lost.addEventListener('abort', () => this.#later(), { once: true })
    if (this.#isOver) await lease.release()
  }

  async close(): Promise<void> {
    this.#isOver = true
    clearTimeout(this.#again)
    await this.#lease?.release()
  }

  #later(): void {
    if (this.#isOver) return
    this.#again = setTimeout(() => void this.start().catch(() => this.#later()), AGAIN_MS).unref()
  }
}

/** Processes that serve a store now, as people know them. */
export async function servedBy(leases: Leases): Promise<readonly string[]> {
  return [...(await leases.held(PREFIX))].map(name => name.slice(PREFIX.length)).toSorted()
}
