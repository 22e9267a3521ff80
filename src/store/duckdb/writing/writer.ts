import type { DuckDBConnection } from '@duckdb/node-api'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Problem } from '../../../base/problem.js'
import type { AcknowledgedWrites } from '../files/acknowledged-writes.js'
import { engineProblem } from '../engine-problem.js'
import { storeClosing } from '../../store-closing.js'
import { type StorePosition, writePosition } from '../files/store-position.js'

interface WriterParts {
  readonly connection: DuckDBConnection
  /** Where the store stands. */
  readonly position: StorePosition
  /** Where it is noted what was acknowledged. */
  readonly acknowledged: Pick<AcknowledgedWrites, 'note'>
}

/**
 * The one lane for writes: the engine lets writers conflict with each other, we let them queue. First come, first
 * served; a batch of an import holds the lane for tenths of a second.
 */
export class Writer {
  readonly #connection: DuckDBConnection
  readonly #acknowledged: WriterParts['acknowledged']
  #tail: Promise<unknown> = Promise.resolve()
  /** Number of the last write; one that failed may be durable all the same, so its number is not given again. */
  #writes: number
  /** Why nothing more is taken, and why what was taken is not run either. */
  #closed: Problem | undefined
  #broken: Problem | undefined

  constructor({ connection, position, acknowledged }: WriterParts) {
    this.#connection = connection
    this.#writes = position.writes
    this.#acknowledged = acknowledged
  }

  /**
   * Runs work in a transaction; durable when it resolves. When it rejects nothing was written, or (its commit failed
   * half way, or its record did) it was but may not be relied on.
   */
  async transaction<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    const { result, position } = await this.exclusive(connection => this.#commit(connection, work))
    try {
      // Outside the lane: the next write goes on meanwhile, and both may share a sync.
      await this.#acknowledged.note(position)
    } catch (error) {
      throw engineProblem(error)
    }
    return result
  }

  /** Runs work while no other write runs. */
  exclusive<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    if (this.#closed !== undefined) return Promise.reject(this.#closed)
    const turn = this.#tail.then(() => {
      if (this.#broken !== undefined) throw this.#broken
      return work(this.#connection)
    })
    this.#tail = turn.catch(() => undefined)
    return turn.catch((error: unknown) => {
      throw engineProblem(error)
    })
  }

  /** Folds the write-ahead log into the file. It does not overwrite erased data there (see DuckDbCalls.erase). */
  checkpoint(): Promise<void> {
    return this.exclusive(connection => checkpoint(connection))
  }

  /** Takes no more work, resolves when what was taken has ended; with a reason what waits is refused with it. */
  async close(reason?: Problem): Promise<void> {
    this.#closed = reason ?? storeClosing()
    this.#broken = reason
    await this.#tail
    this.#connection.closeSync()
  }

  async #commit<T>(connection: DuckDBConnection, work: (connection: DuckDBConnection) => Promise<T>) {
    this.#writes += 1
    const position = { writes: this.#writes, at: new Date().toISOString() }
    await begin(connection)
    try {
      const result = await work(connection)
      await writePosition(connection, position)
      await connection.run('commit')
      return { result, position }
    } catch (error) {
      // A failed commit has ended the transaction already; the first error is the one that tells.
      await connection.run('rollback').catch(() => undefined)
      throw error
    }
  }
}

/**
 * Begins a transaction. Where the engine was out of memory it may have failed to roll the last one back, which then
 * stands in the way of every other: it is rolled back now.
 */
async function begin(connection: DuckDBConnection): Promise<void> {
  try {
    await connection.run('begin transaction')
  } catch (error) {
    await connection.run('rollback').catch(() => {
      throw error
    })
    await connection.run('begin transaction')
  }
}

/** How often a checkpoint is tried before it waits for whatever holds it up, and the milliseconds between. */
const CHECKPOINT_TRIES = 20
const BETWEEN_MS = 20

/**
 * No other write is under way here, but the engine may not have cleared the last one away yet: whoever read beside it
 * does that when it ends (seen under load, for moments).
 */
async function checkpoint(connection: DuckDBConnection): Promise<void> {
  // oxlint-disable no-await-in-loop -- one try after the other
  for (let tries = 0; tries < CHECKPOINT_TRIES; tries += 1) {
    try {
      await connection.run('checkpoint')
      return
    } catch (error) {
      const message = error instanceof Error ? error.message : ''
      if (message.includes('transaction is aborted')) await connection.run('rollback')
      else if (!message.includes('other write transactions active')) throw error
      await sleep(BETWEEN_MS)
    }
  }
  // oxlint-enable no-await-in-loop
  await connection.run('force checkpoint')
}
