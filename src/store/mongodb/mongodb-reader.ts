import type { Document as BsonDocument } from 'bson'
import { type ClientSession, MongoServerError } from 'mongodb'
import { FairSlots } from '../../admission/fair-slots.js'
import type { Requester } from '../../admission/requester.js'
import { otherWork } from '../../base/other-work.js'
import { overTime, Problem } from '../../base/problem.js'
import type { Deadline } from '../deadline.js'
import { BudgetSpent, type LightBudget } from '../light-budget.js'
import { placeUntil } from '../place-until.js'
import { storeClosing } from '../store-closing.js'
import type { Lane, StoreLoad } from '../store.js'
import type { StoreConnection } from './connect.js'
import { isAway, storeProblem } from './store-problem.js'

/** Questions of each lane that run at the same time, as of the embedded store, and those of a project that may wait. */
const PLACES = { light: 4, heavy: 3, bulk: 3 } as const
const WAITING = { light: 256, heavy: 64, bulk: 64 } as const
/** Work in this thread before others get their turn, in milliseconds. */
const TURN_MS = 2
const BATCH_DOCUMENTS = 2_000

const TIME_IS_OVER = 50
const TOO_LARGE = new Set([10_334, 146, 292])

/** A server that is there does not do what is asked of it, as with a value that an operator does not take. */
export class RefusedByServer extends Problem {
  constructor({ code, message }: Problem, cause: unknown) {
    super(code, message)
    this.cause = cause
  }
}

/** Whose turn it is, and until when. */
export interface ReadTurn {
  readonly requester: Requester
  readonly deadline: Deadline
  /** Milliseconds from when the deadline was set, for the server. */
  readonly deadlineMs: number
  readonly budget?: LightBudget | undefined
  readonly worked?: ((milliseconds: number) => void) | undefined
}

/** What is read: where from, and by which stages. */
export interface Read {
  readonly collection: string
  readonly stages: readonly BsonDocument[]
}

/** Reads documents as the bytes they come in, in lanes, until a deadline ends. */
export class MongoReader {
  readonly #connection: StoreConnection
  readonly #places: Readonly<Record<Lane | 'bulk', FairSlots>>
  readonly #closing = new AbortController()

  constructor(connection: StoreConnection) {
    this.#connection = connection
    const places = (lane: Lane | 'bulk') =>
      new FairSlots({
        what: `${lane} queries`,
        places: PLACES[lane],
        kept: 1,
        waitingOfKey: WAITING[lane],
        waitingOfProject: WAITING[lane],
      })
    this.#places = { light: places('light'), heavy: places('heavy'), bulk: places('bulk') }
  }

  get load(): StoreLoad['lanes'] {
    return { light: this.#places.light.load, heavy: this.#places.heavy.load }
  }

  /** Does work in a place of a lane. @param work heeds the deadline that it is given */
  async with<T>(lane: Lane | 'bulk', turn: ReadTurn, work: (deadline: Deadline) => Promise<T>): Promise<T> {
    const { requester, deadline, budget, worked } = turn
    if (this.#closing.signal.aborted) throw storeClosing()
    const giveBack = await placeUntil(this.#places[lane], requester, deadline)
    const began = performance.now()
    const within = budget === undefined ? deadline : deadline.within(budget.leftMs, new BudgetSpent())
    try {
      return await work(within)
    } finally {
      const took = performance.now() - began
      if (budget === undefined) worked?.(took)
      else {
        // A timer may be early by a part of a millisecond.
        budget.spend(within.ended instanceof BudgetSpent ? budget.leftMs : took)
        within.dispose()
      }
      giveBack()
    }
  }

  /**
   * The documents of a reading, each as its bytes, some at a time: as many as are decoded before others get their turn. The server
   * ends what nobody waits for any more.
   */
  async *documents(
    { collection, stages }: Read,
    deadline: Deadline,
    limitMs: number,
  ): AsyncGenerator<readonly Uint8Array[]> {
    const { client, db } = this.#connection
    const session = client.startSession({ causalConsistency: false })
    const ending = new AbortController()
    const end = () => ending.abort()
    const stop = deadline.onEnd(end)
    this.#closing.signal.addEventListener('abort', end, { once: true })
    if (this.#closing.signal.aborted) end()
    const cursor = db.collection(collection).aggregate<Uint8Array>([...stages], {
      session,
      raw: true,
      allowDiskUse: true,
      batchSize: BATCH_DOCUMENTS,
      maxTimeMS: Math.max(1, Math.ceil(limitMs)),
      signal: ending.signal,
    })
    try {
      let part: Uint8Array[] = []
      let began = performance.now()
      for await (const bytes of cursor) {
        part.push(bytes)
        if (performance.now() - began < TURN_MS) continue
        yield part
        part = []
        await otherWork()
        if (ending.signal.aborted) break
        began = performance.now()
      }
      if (deadline.ended !== undefined) throw deadline.ended
      if (this.#closing.signal.aborted) throw storeClosing()
      if (part.length > 0) yield part
    } catch (error) {
      throw deadline.ended ?? (this.#closing.signal.aborted ? storeClosing() : this.#problemOf(error))
    } finally {
      stop()
      this.#closing.signal.removeEventListener('abort', end)
      await cursor.close().catch(() => undefined)
      if (ending.signal.aborted) await this.#kill(session)
      await session.endSession().catch(() => undefined)
    }
  }

  /** Ends what runs and refuses what comes. */
  close(): void {
    this.#closing.abort()
  }

  /** What the driver no longer waits for may go on on the server: not every server has this command, and the time is limited too. */
  async #kill({ id }: ClientSession): Promise<void> {
    await this.#connection.db
      .admin()
      .command({ killSessions: [id] })
      .catch(() => undefined)
  }

  #problemOf(error: unknown): unknown {
    if (error instanceof Problem) return error
    if (error instanceof MongoServerError) {
      const code = Number(error.code)
      if (code === TIME_IS_OVER) return overTime('query', undefined)
      if (TOO_LARGE.has(code)) {
        return new Problem('too_large', 'The query makes more than the store can hold at once; narrow it with $match')
      }
      if (!isAway(code)) {
        return new RefusedByServer(storeProblem(error, this.#connection.where), error)
      }
    }
    return storeProblem(error, this.#connection.where)
  }
}
