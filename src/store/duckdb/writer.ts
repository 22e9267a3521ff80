import type { DuckDBConnection } from '@duckdb/node-api'
import { Problem } from '../../base/problem.js'
import { engineProblem } from './engine-problem.js'

/**
 * The one lane for writes: the engine lets writers conflict with each other, we let them queue. First come, first
 * served; a batch of an import holds the lane for tenths of a second.
 */
export class Writer {
  readonly #connection: DuckDBConnection
  #tail: Promise<unknown> = Promise.resolve()
  #closed = false

  constructor(connection: DuckDBConnection) {
    this.#connection = connection
  }

  /** Runs work in a transaction; durable when it resolves, nothing written when it rejects. */
  transaction<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    return this.exclusive(async connection => {
      await connection.run('begin transaction')
      try {
        const result = await work(connection)
        await connection.run('commit')
        return result
      } catch (error) {
        // A failed commit has ended the transaction already; the first error is the one that tells.
        await connection.run('rollback').catch(() => undefined)
        throw error
      }
    })
  }

  /** Runs work while no other write runs. */
  exclusive<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    if (this.#closed) return Promise.reject(new Problem('store_unavailable', 'The store is closing'))
    const turn = this.#tail.then(() => work(this.#connection))
    this.#tail = turn.catch(() => undefined)
    return turn.catch((error: unknown) => {
      throw engineProblem(error)
    })
  }

  /** Folds the write-ahead log into the file. It does not overwrite erased data there (see DuckDbCalls.erase). */
  checkpoint(): Promise<void> {
    return this.exclusive(async connection => {
      await connection.run('checkpoint')
    })
  }

  /** Takes no more work, resolves when what was taken has ended. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#tail
    this.#connection.closeSync()
  }
}
