import type { Document as BsonDocument } from 'bson'
import { MongoServerError, type Sort } from 'mongodb'
import type { z } from 'zod'
import { Problem } from '../../base/problem.js'
import type { Shelf } from '../shelf.js'
import type { RecordKind } from '../versions.js'
import { isDuplicateKey, type Kept, type MongoDatabase, TakenOver, unlessTakenOver, upTo } from './mongodb-database.js'
import { LATE_MS } from './write-lane.js'

/** What it says where a document is larger than the 16 MiB it keeps. */
const TOO_LARGE = 10_334

/**
 * Records of one kind, each as its JSON beside the fields that it is found and sorted by. A write is of one document: it is there whole
 * or not at all. Of a kind that processes keep in memory each write raises the version, and those made in the turn of the kind carry its
 * fence: what a process writes late whose turn another has by now is refused.
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
    const there = { ...filter, record: { $exists: true } }
    const found = await this.#database.reading(this.#name).find(there, { sort }).toArray()
    return found.map(one => this.#schema.parse(JSON.parse(String(one['record']))))
  }

  /** Adds a record, or replaces the one with its id. Gives back whether it replaced one. @throws Problem `too_large` */
  async put(id: string, record: T, fields: BsonDocument = {}): Promise<boolean> {
    const { filter, set } = this.#fenced({ ...fields, record: JSON.stringify(record) })
    const change = { $set: set, $unset: { removed_at: '' } }
    const before = await this.#changing(
      this.#writing.findOneAndUpdate({ _id: id, ...filter }, change, {
        upsert: true,
        returnDocument: 'before',
        projection: { removed_at: 1 },
      }),
    )
    return before !== null && before['removed_at'] === undefined
  }

  /** Adds a record, of a kind of which none is removed. `false` where its id is taken. @throws Problem `too_large` */
  async insert(id: string, record: T, fields: BsonDocument = {}): Promise<boolean> {
    const { set } = this.#fenced({ ...fields, record: JSON.stringify(record) })
    try {
      await this.#raising(this.#writing.insertOne({ ...set, _id: id }))
      return true
    } catch (error) {
      if (isDuplicateKey(error)) return false
      throw error
    }
  }

  /** Writes a record that is there anew; fields that are not named stay. `false` where there is none. @throws Problem `too_large` */
  async update(id: string, record: T, fields: BsonDocument = {}): Promise<boolean> {
    const { filter, set } = this.#fenced({ ...fields, record: JSON.stringify(record) })
    const { matchedCount } = await this.#changing(this.#writing.updateOne({ _id: id, ...filter }, { $set: set }))
    if (matchedCount > 0) return true
    if ((await this.find({ _id: id }, { _id: 1 })).length > 0) throw new TakenOver()
    return false
  }

  /** `false` where there was none. */
  async remove(...ids: readonly string[]): Promise<boolean> {
    const which = { _id: { $in: [...ids] } }
    if (this.#fence === undefined) {
      const { deletedCount } = await this.#changing(this.#writing.deleteMany(which))
      return deletedCount > 0
    }
    // What a process that stalled puts there late finds the fence of whoever removed it.
    const { filter, set } = this.#fenced({ removed_at: new Date() })
    const there = await this.find(which, { _id: 1 })
    await this.#changing(
      this.#writing.bulkWrite(
        ids.map(_id => ({ replaceOne: { filter: { _id, ...filter }, replacement: set as Kept, upsert: true } })),
      ),
    )
    await this.#writing.deleteMany({ removed_at: { $lt: new Date(Date.now() - LATE_MS) } })
    return there.length > 0
  }

  /** That of the turn for records of this kind. */
  get #fence(): number | undefined {
    return this.#kind && this.#database.fenceOf(this.#kind)
  }

  #fenced(fields: BsonDocument): { readonly filter: object; readonly set: BsonDocument } {
    const fence = this.#fence
    return fence === undefined ? { filter: {}, set: fields } : { filter: upTo(fence), set: { ...fields, fence } }
  }

  get #writing() {
    return this.#database.writing(this.#name)
  }

  async #changing<R>(written: Promise<R>): Promise<R> {
    return await this.#raising(unlessTakenOver(written))
  }

  async #raising<R>(written: Promise<R>): Promise<R> {
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
