import type { EndedSessionStore } from '../shared-extras.js'
import type { MongoDatabase } from './mongodb-database.js'

const COLLECTION = 'ended_sessions'

/** Keeps which sessions were ended; the server forgets them when their time is over. */
export class MongoEndedSessions implements EndedSessionStore {
  readonly #database: MongoDatabase

  constructor(database: MongoDatabase) {
    this.#database = database
  }

  async add(id: string, until: Date): Promise<void> {
    await this.#database.writing(COLLECTION).updateOne({ _id: id }, { $set: { until } }, { upsert: true })
  }

  async has(id: string): Promise<boolean> {
    return (await this.#database.reading(COLLECTION).findOne({ _id: id }, { projection: { _id: 1 } })) !== null
  }
}
