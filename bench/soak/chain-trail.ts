import { type Db, MongoClient } from 'mongodb'
import type { Trail } from './read-trail.js'

/** Lines of requests may come in up to so long after these began, milliseconds. */
const OVERLAP_MS = 120_000

/** The lines of the audit trail in a store of several processes, past the program: read by the driver. */
export class ChainTrail {
  readonly #client: MongoClient
  readonly #db: Db
  #since = 0

  private constructor(client: MongoClient, db: Db) {
    this.#client = client
    this.#db = db
  }

  static async open(url: string): Promise<ChainTrail> {
    const client = await MongoClient.connect(url)
    return new ChainTrail(client, client.db(new URL(url).pathname.slice(1) || 'earshot'))
  }

  /** What was written since it was read before, and a little more: lines of answers that were looked for already are there too. */
  async read(): Promise<Pick<Trail, 'damage'> & { readonly events: readonly { readonly request_id: string }[] }> {
    const since = new Date(this.#since - OVERLAP_MS)
    this.#since = Date.now()
    const lines = await this.#db
      .collection('activity')
      .find({ at: { $gte: since } }, { projection: { _id: 0, request_id: 1 } })
      .toArray()
    return { events: lines.map(one => ({ request_id: String(one['request_id']) })), damage: [] }
  }

  close(): Promise<void> {
    return this.#client.close()
  }
}
