import type { DuckDBConnection } from '@duckdb/node-api'
import { Problem } from '../../base/problem.js'
import type { LaneLoad } from '../store.js'
import type { Deadline } from './deadline.js'
import { storeClosing } from './store-closing.js'

interface Waiter {
  readonly take: (connection: DuckDBConnection) => void
  readonly refuse: (problem: Problem) => void
}

/** A connection taken for as long as its holder needs it. */
export interface Lease {
  readonly connection: DuckDBConnection
  release(): void
}

/** Seconds after which a refused caller may try again; chosen, not measured. */
const RETRY_AFTER = 2

/** Milliseconds the engine has to heed an interrupt: within one vector of rows, or one list, it does not. */
const HEED_MS = 300

/** The result of work, or why it had to end, a little later, when it has not ended by then. */
async function endingSoon<T>(working: Promise<T>, deadline: Deadline): Promise<T> {
  let stop: () => void = () => undefined
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    stop = deadline.onEnd(() => {
      timer = setTimeout(() => reject(deadline.ended!), HEED_MS)
    })
  })
  try {
    return await Promise.race([working, late])
  } finally {
    stop()
    clearTimeout(timer)
  }
}

/**
 * Connections opened ahead and the queue in front of them. Opened ahead because connecting takes a thread of Node's
 * pool too, so that it waits just when there is much to do.
 */
export class ConnectionLane {
  readonly #name: string
  readonly #all: readonly DuckDBConnection[]
  readonly #idle: DuckDBConnection[]
  readonly #waiting = new Set<Waiter>()
  readonly #maxWaiting: number
  readonly #leases = new Set<(reason: Problem) => void>()
  #closed: Problem | undefined
  #drained: (() => void) | undefined

  constructor(name: string, connections: readonly DuckDBConnection[], maxWaiting: number) {
    this.#name = name
    this.#all = connections
    this.#idle = [...connections]
    this.#maxWaiting = maxWaiting
  }

  get load(): LaneLoad {
    return { running: this.#all.length - this.#idle.length, waiting: this.#waiting.size }
  }

  /**
   * Runs work on a connection of its own, waiting for one until the deadline ends. Work that does not stop when it is
   * told to keeps its connection, but not its asker.
   */
  async with<T>(deadline: Deadline, work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    const connection = await this.#acquire(deadline)
    const working = work(connection).finally(() => this.#release(connection))
    return await endingSoon(working, deadline)
  }

  /**
   * Takes a connection of its own, waiting for one until the deadline ends. @param end is called when the lane closes:
   * its holder has to release it then, also one that waits for its reader
   */
  async lease(deadline: Deadline, end: (reason: Problem) => void): Promise<Lease> {
    const connection = await this.#acquire(deadline)
    this.#leases.add(end)
    return {
      connection,
      release: () => {
        if (this.#leases.delete(end)) this.#release(connection)
      },
    }
  }

  /** Refuses what waits, interrupts what runs, closes the connections when they are free. */
  async close(reason = storeClosing()): Promise<void> {
    this.#closed = reason
    for (const waiter of this.#waiting) waiter.refuse(this.#closed)
    this.#waiting.clear()
    for (const end of this.#leases) end(reason)
    // An interrupt that comes before a query has started is lost; so until all are back.
    const again = setInterval(() => this.#all.forEach(connection => connection.interrupt()), 20)
    if (this.#idle.length < this.#all.length) await new Promise<void>(resolve => (this.#drained = resolve))
    clearInterval(again)
    for (const connection of this.#all) connection.closeSync()
  }

  #acquire(deadline: Deadline): Promise<DuckDBConnection> {
    const refused = this.#closed ?? deadline.ended
    if (refused !== undefined) return Promise.reject(refused)
    const idle = this.#idle.pop()
    if (idle !== undefined) return Promise.resolve(idle)
    if (this.#waiting.size >= this.#maxWaiting) return Promise.reject(this.#busy())
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        take: connection => {
          stop()
          resolve(connection)
        },
        refuse: problem => {
          stop()
          reject(problem)
        },
      }
      this.#waiting.add(waiter)
      const stop = deadline.onEnd(() => {
        this.#waiting.delete(waiter)
        reject(deadline.ended!)
      })
    })
  }

  #release(connection: DuckDBConnection): void {
    const [next] = this.#waiting
    if (next !== undefined) {
      this.#waiting.delete(next)
      next.take(connection)
      return
    }
    this.#idle.push(connection)
    if (this.#idle.length === this.#all.length) this.#drained?.()
  }

  #busy(): Problem {
    const message = `${this.#maxWaiting} ${this.#name} queries are waiting already; try again in ${RETRY_AFTER} s`
    return new Problem('busy', message, { retryAfter: RETRY_AFTER })
  }
}
