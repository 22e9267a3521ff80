import type { DuckDBConnection } from '@duckdb/node-api'
import { setTimeout as sleep } from 'node:timers/promises'
import { Problem } from '../../../base/problem.js'
import type { AcknowledgedWrites } from '../files/acknowledged-writes.js'
import { engineProblem } from '../engine-problem.js'
import { storeClosing } from '../../store-closing.js'
import { type StorePosition, writePosition } from '../files/store-position.js'

interface WriterParts {
  readonly connection: DuckDBConnection
  /** A second one, which holds the store's file as it is. */
  readonly holder: DuckDBConnection
  /** A third one, on which something is made beside the writes. */
  readonly maker: DuckDBConnection
  /** Bytes of the write-ahead log. */
  readonly logBytes: () => number
  /** Whether somebody reads at the pace of their client: for as long as that takes nothing that changed since is let go of. */
  readonly isReadSlowly: () => boolean
  /** Where the store stands. */
  readonly position: StorePosition
  /** Where it is noted what was acknowledged. */
  readonly acknowledged: Pick<AcknowledgedWrites, 'note'>
}

/**
 * Log that may gather while the file is held as it is; then writing waits. What is in the log the engine keeps in memory too, where it
 * takes half as much again.
 */
const MOST_LOG_BYTES = 128 * 1024 * 1024

/**
 * The one lane for writes: the engine lets writers conflict with each other, we let them queue. First come, first
 * served; a batch of an import holds the lane for tenths of a second.
 */
export class Writer {
  readonly #connection: DuckDBConnection
  readonly #holder: DuckDBConnection
  readonly #maker: DuckDBConnection
  readonly #logBytes: () => number
  readonly #isReadSlowly: () => boolean
  readonly #acknowledged: WriterParts['acknowledged']
  #tail: Promise<unknown> = Promise.resolve()
  /** The same of what is made. */
  #made: Promise<unknown> = Promise.resolve()
  /** Number of the last write; one that failed may be durable all the same, so its number is not given again. */
  #writes: number
  /** Why nothing more is taken, and why what was taken is not run either. */
  #closed: Problem | undefined
  #broken: Problem | undefined
  /** Resolves when the file is not held any more. */
  #held: Promise<unknown> | undefined

  constructor({ connection, holder, maker, position, acknowledged, logBytes, isReadSlowly }: WriterParts) {
    this.#connection = connection
    this.#holder = holder
    this.#maker = maker
    this.#logBytes = logBytes
    this.#isReadSlowly = isReadSlowly
    this.#writes = position.writes
    this.#acknowledged = acknowledged
  }

  /**
   * Runs work in a transaction; durable when it resolves. When it rejects nothing was written, or (its commit failed
   * half way, or its record did) it was but may not be relied on.
   */
  transaction<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    return this.#transaction(this.#connection, work)
  }

  /**
   * Makes something on a connection of its own while others write, into temporary tables of that connection; with `write` the same
   * connection has a transaction in the lane. One after the other.
   */
  making<T>(work: (connection: DuckDBConnection, write: Writer['transaction']) => Promise<T>): Promise<T> {
    const turn = this.#made.then(async () => {
      if (this.#closed !== undefined) throw this.#closed
      return await work(this.#maker, write => this.#transaction(this.#maker, write))
    })
    this.#made = turn.catch(() => undefined)
    return turn.catch((error: unknown) => {
      // What is closed meanwhile is ended.
      throw this.#closed ?? engineProblem(error)
    })
  }

  async #transaction<T>(connection: DuckDBConnection, work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    const { result, position } = await this.exclusive(() => this.#commit(connection, work))
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
    const turn = this.#tail.then(async () => {
      if (this.#held !== undefined && this.#logBytes() > MOST_LOG_BYTES) await this.#held
      if (this.#broken !== undefined) throw this.#broken
      return await work(this.#connection)
    })
    this.#tail = turn.catch(() => undefined)
    return turn.catch((error: unknown) => {
      throw engineProblem(error)
    })
  }

  /**
   * Folds the write-ahead log into the file. It does not overwrite erased data there (see DuckDbCalls.erase).
   * @returns false where whoever reads what was there before the last write keeps the engine from it: nobody waits for them
   */
  async checkpoint(): Promise<boolean> {
    return await this.#unheld(connection => checkpoint(connection, this.#isReadSlowly() ? 0 : PATIENCE_MS))
  }

  /**
   * Folds the log into the file, looks at it, and keeps what is in the file now as it is while work runs: the engine changes no block
   * that its last checkpoint left, only the next one lets them go, and none comes while another write is under way. So one is: of nothing,
   * on a connection of its own. Other writes go on, into the log and behind the end of the file.
   * @param look what is to be known of the file, while nothing is written
   */
  async hold<H extends object, T>(
    look: (connection: DuckDBConnection) => Promise<H>,
    work: (held: H & { readonly at: Date; readonly pausedMs: number }) => Promise<T>,
  ): Promise<T> {
    let release: () => void = () => undefined
    const held = await this.#folded(async (connection, at, began) => {
      const found = await look(connection)
      await holdFile(this.#holder)
      this.#held = new Promise<void>(resolve => (release = resolve))
      return { ...found, at, pausedMs: Math.round(performance.now() - began) }
    })
    try {
      return await work(held)
    } finally {
      await this.#holder.run('rollback').catch(() => undefined)
      this.#held = undefined
      release()
    }
  }

  /**
   * Folds the log and runs work, while no other write runs. Questions are over soon: writes wait for them, longer each time. An export is
   * waited for while writes go on, and not without end.
   */
  async #folded<T>(work: (connection: DuckDBConnection, at: Date, began: number) => Promise<T>): Promise<T> {
    const until = performance.now() + LONGEST_WAIT_MS
    // oxlint-disable no-await-in-loop -- one try after the other
    for (let patienceMs = PATIENCE_MS; performance.now() < until;) {
      const isSlow = this.#isReadSlowly()
      const done = await this.#unheld(async connection => {
        const [at, began] = [new Date(), performance.now()]
        if (!(await checkpoint(connection, isSlow ? 0 : patienceMs))) return undefined
        return { value: await work(connection, at, began) }
      })
      if (done !== undefined) return done.value
      if (!isSlow) patienceMs = Math.min(2 * patienceMs, LONGEST_PATIENCE_MS)
      await sleep(PAUSE_MS)
    }
    // oxlint-enable no-await-in-loop
    throw new Problem('conflict', 'An export is read since before the last write; try again when it is over')
  }

  /** Runs work while no other write runs, and the file is not held. */
  async #unheld<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    for (;;) {
      // Waited for outside the lane, so that writes go on.
      // oxlint-disable-next-line no-await-in-loop -- it may be held again before the lane is free
      await this.#held
      // oxlint-disable-next-line no-await-in-loop -- as above
      const done = await this.exclusive(async connection =>
        this.#held === undefined ? { value: await work(connection) } : undefined,
      )
      if (done !== undefined) return done.value
    }
  }

  /** Takes no more work, resolves when what was taken has ended; with a reason what waits is refused with it. */
  async close(reason?: Problem): Promise<void> {
    this.#closed = reason ?? storeClosing()
    this.#broken = reason
    await this.#tail
    await this.#held
    // Again and again: it may be between two statements.
    const ending = setInterval(() => this.#maker.interrupt(), BETWEEN_MS)
    await this.#made
    clearInterval(ending)
    this.#holder.closeSync()
    this.#maker.closeSync()
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

/** Begins a write of nothing, which stays under way. */
async function holdFile(connection: DuckDBConnection): Promise<void> {
  await begin(connection)
  try {
    await connection.run('delete from store_position where false')
  } catch (error) {
    await connection.run('rollback').catch(() => undefined)
    throw error
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

/** How long a checkpoint is tried before whoever waits for writes gets their turn, and at most; milliseconds. */
const PATIENCE_MS = 400
/** Longer than a question may take. */
const LONGEST_PATIENCE_MS = 60_000
const BETWEEN_MS = 20
/** Between two times that a checkpoint is tried for. */
const PAUSE_MS = 500
/** How long a checkpoint waits for exports that are read. */
const LONGEST_WAIT_MS = 10 * 60_000

/**
 * No other write is under way here, but the engine may not have cleared the last one away yet: whoever began to read before it does
 * that when they end. Never by force: while the engine waits for them it lets nobody begin anything, not even to read.
 * @returns whether it could be done within the time; once it is tried in any case
 */
async function checkpoint(connection: DuckDBConnection, patienceMs: number): Promise<boolean> {
  const until = performance.now() + patienceMs
  // oxlint-disable no-await-in-loop -- one try after the other
  for (let isRolledBack = false; ;) {
    try {
      await connection.run('checkpoint')
      return true
    } catch (error) {
      const message = error instanceof Error ? error.message : ''
      if (message.includes('transaction is aborted') && !isRolledBack) {
        await connection.run('rollback')
        isRolledBack = true
      } else if (!message.includes('other write transactions active')) throw error
      else if (performance.now() >= until) return false
      await sleep(BETWEEN_MS)
    }
  }
  // oxlint-enable no-await-in-loop
}
