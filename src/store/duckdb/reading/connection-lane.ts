import type { DuckDBConnection } from '@duckdb/node-api'
import type { Problem } from '../../../base/problem.js'
import { FairSlots } from '../../../admission/fair-slots.js'
import type { Requester } from '../../../admission/requester.js'
import { BudgetSpent, type LightBudget } from '../../light-budget.js'
import type { LaneLoad } from '../../store.js'
import type { Deadline } from '../../deadline.js'
import { placeUntil } from '../../place-until.js'
import { storeClosing } from '../../store-closing.js'

/** Whose turn it is, and for how long. */
export interface Turn {
  readonly requester: Requester
  /** Ends waiting and work. */
  readonly deadline: Deadline
  /** Ends the work with BudgetSpent; what it took is spent of it. Absent = until the deadline. */
  readonly budget?: LightBudget | undefined
  readonly worked?: ((milliseconds: number) => void) | undefined
}

/** @param deadline what the work has to heed: the budget's end, where there is one, is part of it */
export type LaneWork<T> = (connection: DuckDBConnection, deadline: Deadline) => Promise<T>

/** Stands for the store's own small questions, which take turns with the projects. No project has this name. */
export const THE_STORE: Requester = { project: '', key: '' }

/** A connection taken for as long as its holder needs it. */
export interface Lease {
  readonly connection: DuckDBConnection
  readonly release: () => void
}

/** Milliseconds the engine has to heed an interrupt: within one vector of rows, or one list, it does not. */
const INTERRUPT_GRACE_MS = 300

/** The result of work, or why it had to end, a little later, when it has not ended by then. */
async function endingSoon<T>(working: Promise<T>, deadline: Deadline): Promise<T> {
  let stop: () => void = () => undefined
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    stop = deadline.onEnd(() => {
      timer = setTimeout(() => reject(deadline.ended!), INTERRUPT_GRACE_MS)
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
  readonly #all: readonly DuckDBConnection[]
  readonly #idle: DuckDBConnection[]
  readonly #places: FairSlots
  /** Of those who wait for a place. */
  readonly #waiting = new Set<AbortController>()
  readonly #leases = new Set<(reason: Problem) => void>()
  readonly #beside: () => number
  #closed: Problem | undefined
  #drained: (() => void) | undefined

  /**
   * @param waiting how many of one project may wait
   * @param kept connections that a project which has one may not take
   * @param beside queries of other lanes that the engine works on at this instant
   */
  constructor(name: string, connections: readonly DuckDBConnection[], waiting: number, kept = 0, beside = () => 0) {
    this.#beside = beside
    this.#all = connections
    this.#idle = [...connections]
    this.#places = new FairSlots({
      what: `${name} queries`,
      places: connections.length,
      kept,
      waitingOfKey: waiting,
      waitingOfProject: waiting,
    })
  }

  get load(): LaneLoad {
    return this.#places.load
  }

  /**
   * Runs work on a connection of its own, waiting for one until the deadline ends. Work that does not stop when it is
   * told to keeps its connection, but not its asker.
   */
  async with<T>(turn: Turn, work: LaneWork<T>): Promise<T> {
    const { connection, release } = await this.#acquire(turn)
    const { deadline, budget, worked } = turn
    const started = performance.now()
    if (budget === undefined) {
      const done = (): void => {
        worked?.(performance.now() - started)
        release()
      }
      return await endingSoon(work(connection, deadline).finally(done), deadline)
    }
    // A budget is work, and the engine shares its threads evenly: among three it takes three times as long. Else what is
    // light while nobody asks would be heavy beside a tenant who asks much, and be paid twice.
    const sharers = this.load.running + this.#beside()
    const within = deadline.within(budget.leftMs * sharers, new BudgetSpent())
    const working = work(connection, within).finally(() => {
      // A timer may be early by a part of a millisecond.
      budget.spend(within.ended instanceof BudgetSpent ? budget.leftMs : (performance.now() - started) / sharers)
      within.dispose()
      release()
    })
    return await endingSoon(working, within)
  }

  /**
   * Takes a connection of its own, waiting for one until the deadline ends. @param end is called when the lane closes:
   * its holder has to release it then, also one that waits for its reader
   */
  async lease(turn: Turn, end: (reason: Problem) => void): Promise<Lease> {
    const { connection, release } = await this.#acquire(turn)
    this.#leases.add(end)
    return {
      connection,
      release: () => {
        if (this.#leases.delete(end)) release()
      },
    }
  }

  /** Refuses what waits, interrupts what runs, closes the connections when they are free. */
  async close(reason = storeClosing()): Promise<void> {
    this.#closed = reason
    for (const waiting of this.#waiting) waiting.abort()
    for (const end of this.#leases) end(reason)
    // An interrupt that comes before a query has started is lost; so until all are back.
    const again = setInterval(() => this.#all.forEach(connection => connection.interrupt()), 20)
    if (this.#idle.length < this.#all.length) await new Promise<void>(resolve => (this.#drained = resolve))
    clearInterval(again)
    for (const connection of this.#all) connection.closeSync()
  }

  async #acquire({ requester, deadline }: Turn): Promise<Lease> {
    const refused = this.#closed ?? deadline.ended
    if (refused !== undefined) throw refused
    const waiting = new AbortController()
    this.#waiting.add(waiting)
    try {
      const giveBack = await placeUntil(this.#places, requester, deadline, waiting)
      if (this.#closed === undefined) return this.#lend(giveBack)
      giveBack()
      throw this.#closed
    } catch (error) {
      throw this.#closed ?? error
    } finally {
      this.#waiting.delete(waiting)
    }
  }

  /** There are as many connections as places. */
  #lend(giveBack: () => void): Lease {
    const connection = this.#idle.pop()
    if (connection === undefined) throw new Error('A place without a connection')
    return {
      connection,
      release: () => {
        this.#idle.push(connection)
        giveBack()
        if (this.#idle.length === this.#all.length) this.#drained?.()
      },
    }
  }
}
