import type { AnyBulkWriteOperation } from 'mongodb'
import { type Kept, type MongoDatabase, TakenOver, unlessTakenOver, upTo } from './mongodb-database.js'
import { vacantUntil, type Unfinished, type WriteLane } from './write-lane.js'

/** Documents that are being put into one collection. */
interface UnfinishedDocuments extends Unfinished {
  readonly kind: 'documents'
  readonly collection: string
  readonly ids: readonly string[]
}

/**
 * Has nothing written any more under an id by who has a lower fence. Where there is no document one stands in for it; one that does so already does from
 * now on, for the whole time in which something may come late.
 */
export function fencing(_id: string, fence: number): readonly AnyBulkWriteOperation<Kept>[] {
  const [filter, vacant_until] = [{ _id, ...upTo(fence) }, vacantUntil()]
  return [
    {
      updateOne: { filter: { ...filter, vacant_until: { $exists: true } }, update: { $set: { fence, vacant_until } } },
    },
    { updateOne: { filter, update: { $set: { fence }, $setOnInsert: { vacant_until } }, upsert: true } },
  ]
}

/**
 * Puts documents of a project in its lane so that a process that stalled puts none late. Their ids are noted before; where the write was cut
 * off, whoever has the lane next fences them, those that are not there by a document without a project that stands in for them. What was
 * there is replaced and never put anew, so that what was removed meanwhile stays so, and needs nothing in its place.
 */
export class FencedDocuments {
  readonly #database: MongoDatabase
  readonly #lane: WriteLane

  constructor(database: MongoDatabase, lane: WriteLane) {
    this.#database = database
    this.#lane = lane
    lane.finishes<UnfinishedDocuments>('documents', ({ collection, ids }) => this.fence(collection, ids))
  }

  /** Puts documents, each in place of the one with its id; within the lane. */
  async put(projectId: string, collection: string, documents: readonly Kept[]): Promise<void> {
    if (documents.length === 0) return
    const { write } = await this.#lane.number()
    const unfinished: UnfinishedDocuments = {
      _id: write,
      kind: 'documents',
      project_id: projectId,
      collection,
      ids: documents.map(one => one._id),
    }
    await this.#lane.noting(unfinished, () => this.write(collection, write, documents))
  }

  /** The same as a step of a write that fences them where it is finished. */
  async write(collection: string, write: number, documents: readonly Kept[]): Promise<void> {
    const ids = documents.map(one => one._id)
    const found = await this.#database
      .reading(collection)
      .find({ _id: { $in: ids } }, { projection: { _id: 1 } })
      .toArray()
    const there = new Set(found.map(one => one._id))
    const numbered = documents.map((one): Kept => ({ ...one, write, fence: write }))
    const [known, added] = [numbered.filter(one => there.has(one._id)), numbered.filter(one => !there.has(one._id))]
    const operations: AnyBulkWriteOperation<Kept>[] = [
      ...known.map(({ _id, ...replacement }) => ({
        replaceOne: { filter: { _id, ...upTo(write) }, replacement: replacement as Kept },
      })),
      ...added.map(document => ({ insertOne: { document } })),
    ]
    const { matchedCount } = await unlessTakenOver(this.#database.writing(collection).bulkWrite(operations))
    if (matchedCount < known.length) throw new TakenOver()
  }

  /** Has nothing come any more of what was to be put under these ids before. */
  async fence(collection: string, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return
    const { write: fence } = await this.#lane.number()
    await unlessTakenOver(this.#database.writing(collection).bulkWrite(ids.flatMap(_id => fencing(_id, fence))))
  }
}
