import { Int32 } from 'bson'
import type { Collection, Db } from 'mongodb'
import type { RecordKind, Versions } from '../versions.js'

interface KeptVersion {
  readonly _id: string
  readonly version: number
}

/** A number for each kind of record, which every write raises. */
export class MongoVersions implements Versions {
  readonly #versions: Collection<KeptVersion>

  constructor(db: Db) {
    this.#versions = db.collection<KeptVersion>('versions')
  }

  async read(): Promise<ReadonlyMap<string, number>> {
    const found = await this.#versions.find({}).toArray()
    return new Map(found.map(one => [one._id, one.version]))
  }

  /** After each write: who reads the records between has read the number before, and reads them again. */
  async raise(kind: RecordKind): Promise<void> {
    const raised = { $inc: { version: new Int32(1) } }
    await this.#versions.updateOne({ _id: kind }, raised, { upsert: true })
  }
}
