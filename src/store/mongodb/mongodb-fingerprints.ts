import { z } from 'zod'
import type { Fingerprint, FingerprintStore } from '../shared-extras.js'
import { isDuplicateKey, type MongoDatabase } from './mongodb-database.js'

const COLLECTION = 'fingerprints'
const kept = z.object({ _id: z.string(), salt: z.string(), hash: z.string(), since: z.string() })

/** Keeps fingerprints of secrets, one document for each. */
export class MongoFingerprints implements FingerprintStore {
  readonly #database: MongoDatabase

  constructor(database: MongoDatabase) {
    this.#database = database
  }

  async all(): Promise<ReadonlyMap<string, Fingerprint>> {
    const found = await this.#database.reading(COLLECTION).find({}).toArray()
    return new Map(found.map(one => kept.parse(one)).map(({ _id, ...fingerprint }) => [_id, fingerprint]))
  }

  async put(name: string, fingerprint: Fingerprint, inPlaceOf: Fingerprint | undefined): Promise<boolean> {
    const collection = this.#database.writing(COLLECTION)
    if (inPlaceOf !== undefined) {
      const { matchedCount } = await collection.updateOne(
        { _id: name, salt: inPlaceOf.salt },
        { $set: { ...fingerprint } },
      )
      return matchedCount > 0
    }
    try {
      await collection.insertOne({ _id: name, ...fingerprint })
      return true
    } catch (error) {
      if (isDuplicateKey(error)) return false
      throw error
    }
  }
}
