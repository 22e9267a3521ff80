import type { Document as BsonDocument } from 'bson'
import { MongoServerError, type Sort } from 'mongodb'
import type { z } from 'zod'
import { Problem } from '../../base/problem.js'
import type { Shelf } from '../shelf.js'
import type { RecordKind } from '../versions.js'
import { isDuplicateKey, type Kept, type MongoDatabase } from './mongodb-database.js'

/** What it says where a document is larger than the 16 MiB it keeps. */
const TOO_LARGE = 10_334

/**
 * Records of one kind, each as its JSON beside the fields that it is found and sorted by. A write is of one document: it is there whole
 * or not at all. Of a kind that processes keep in memory each write raises the version.
 */
export class MongoRecords<T> {
  readonly #database: MongoDatabase
  readonly #name: string
  readonly #schema: z.ZodType<T>
  readonly #kind: RecordKind | undefined

  constructor(database: MongoDatabase, name: string, schema: z.ZodType<T>, kind?: RecordKind) {
    this.#database = database
    this.#name = name
    this.#schema = schema
    this.#kind = kind
  }

  async find(filter: BsonDocument, sort: Sort): Promise<readonly T[]> {
    const found = await this.#database.reading(this.#name).find(filter, { sort }).toArray()
    return found.map(one => this.#schema.parse(JSON.parse(String(one['record']))))
  }

  /** Adds a record, or replaces the one with its id. Gives back whether it replaced one. @throws Problem `too_large` */
  async put(id: string, record: T, fields: BsonDocument = {}): Promise<boolean> {
    const kept = { ...fields, record: JSON.stringify(record) } as BsonDocument as Kept
    const { matchedCount } = await this.#changing(this.#writing.replaceOne({ _id: id }, kept, { upsert: true }))
    return matchedCount > 0
  }

  /** Adds a record. `false` where its id is taken. @throws Problem `too_large` */
  async insert(id: string, record: T, fields: BsonDocument = {}): Promise<boolean> {
    try {
      await this.#changing(this.#writing.insertOne({ ...fields, _id: id, record: JSON.stringify(record) }))
      return true
    } catch (error) {
      if (isDuplicateKey(error)) return false
      throw error
    }
  }

  /** Writes a record that is there anew; fields that are not named stay. `false` where there is none. @throws Problem `too_large` */
  async update(id: string, record: T, fields: BsonDocument = {}): Promise<boolean> {
    const set = { $set: { ...fields, record: JSON.stringify(record) } }
    const { matchedCount } = await this.#changing(this.#writing.updateOne({ _id: id }, set))
    return matchedCount > 0
  }

  /** `false` where there was none. */
  async remove(...ids: readonly string[]): Promise<boolean> {
    const { deletedCount } = await this.#changing(this.#writing.deleteMany({ _id: { $in: [...ids] } }))
    return deletedCount > 0
  }

  get #writing() {
    return this.#database.writing(this.#name)
  }

  async #changing<R>(written: Promise<R>): Promise<R> {
    const done = await fitting(written)
    if (this.#kind !== undefined) await this.#database.versions.raise(this.#kind)
    return done
  }
}

/** A record that is too large for the server is the caller's to make smaller, and no fault of the store. */
async function fitting<R>(written: Promise<R>): Promise<R> {
  try {
    return await written
  } catch (error) {
    const isTooLarge = error instanceof MongoServerError ? error.code === TOO_LARGE : error instanceof RangeError
    throw isTooLarge
      ? new Problem('too_large', 'This is larger than the 16 MiB that the store can keep of one; divide it')
      : error
  }
}

interface Shape<T> {
  readonly collection: 'webhooks' | 'alerts' | 'mappings' | 'inbound_webhooks' | 'teams'
  readonly schema: z.ZodType<T>
  readonly idOf: (record: T) => string
}

/** Few records of one kind, of projects. */
export class MongoShelf<T extends { readonly project_id: string }> implements Shelf<T> {
  readonly #records: MongoRecords<T>
  readonly #shape: Shape<T>

  constructor(database: MongoDatabase, shape: Shape<T>) {
    this.#records = new MongoRecords(database, shape.collection, shape.schema, shape.collection)
    this.#shape = shape
  }

  all(): Promise<readonly T[]> {
    return this.#records.find({}, { project_id: 1, id: 1 })
  }

  async put(record: T): Promise<void> {
    const { project_id } = record
    const id = this.#shape.idOf(record)
    await this.#records.put(inProject(project_id, id), record, { project_id, id })
  }

  async remove(projectId: string, id: string): Promise<void> {
    await this.#records.remove(inProject(projectId, id))
  }
}

/** The id of a document by its project, whose id has no colon in it, and its own. */
export const inProject = (projectId: string, id: string): string => `${projectId}:${id}`
