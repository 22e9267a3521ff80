import { NamedTurns } from '../../base/named-turns.js'
import type { Lease } from '../leases.js'
import type { SharedTurns } from '../shared-turns.js'
import type { MongoDatabase } from './mongodb-database.js'
import type { MongoLeases } from './mongodb-leases.js'

/** Turns by leases: one of this process at a time waits for the others. */
export class MongoTurns implements SharedTurns {
  readonly #database: MongoDatabase
  readonly #leases: MongoLeases
  readonly #here = new NamedTurns()

  constructor(database: MongoDatabase, leases: MongoLeases) {
    this.#database = database
    this.#leases = leases
  }

  run<T>(name: string, work: (turn: Pick<Lease, 'fence' | 'mayWrite'>) => Promise<T>): Promise<T> {
    return this.#inTurn(name, false, lease => this.#database.under(lease, () => work(lease), name))
  }

  pass<T>(name: string, work: () => Promise<T>): Promise<T> {
    return this.#inTurn(name, true, lease => this.#database.under(lease, work))
  }

  #inTurn<T>(name: string, isClaim: boolean, work: (lease: Lease) => Promise<T>): Promise<T> {
    return this.#here.run(name, async () => {
      const lease = await this.#leases.wait(`turn:${name}`, { isClaim })
      try {
        return await work(lease)
      } finally {
        await lease.release()
      }
    })
  }
}
