import { type Document as BsonDocument, Int32 } from 'bson'
import { movedRow, type MovedPart, type MovedRow, type MovedRows } from '../moved-rows.js'
import { idOf } from './call-document.js'
import type { MongoDatabase } from './mongodb-database.js'
import { ERASED_IDS } from './erased-ids.js'
import { answerId } from './mongodb-models.js'
import { inProject } from './mongodb-records.js'
import { namedId } from './mongodb-reports.js'

/** Rows that are written together. */
const ROWS = 1_000
/** Digits of a row's number in an id: rows stay in their order. */
const DIGITS = 12

interface Part<P extends MovedPart> {
  readonly collection: string
  /** Of it these documents alone. */
  readonly where?: BsonDocument
  /** A row's document. @param at how many were written before it */
  readonly toDocument: (row: MovedRow<P>, at: number) => BsonDocument
  readonly toRow: (document: BsonDocument) => object
}

/** An id that is before those of all that comes later. */
const numbered = (at: number): string => `0:${String(at).padStart(DIGITS, '0')}`
/** Without what only this store knows. */
const fieldsOf = ({ _id, write: _write, fence: _fence, ...fields }: BsonDocument): object => fields

const PARTS: { readonly [P in MovedPart]: Part<P> } = {
  erasure_secrets: {
    collection: 'secrets',
    where: ERASED_IDS,
    toDocument: ({ secret }) => ({ ...ERASED_IDS, secret }),
    toRow: fieldsOf,
  },
  erased_calls: {
    collection: 'erased_calls',
    toDocument: ({ project_id, session_hash }) => ({ _id: idOf(project_id, session_hash), project_id }),
    toRow: ({ _id, project_id: of }) => {
      const project_id = String(of)
      return { project_id, session_hash: String(_id).slice(idOf(project_id, '').length) }
    },
  },
  erasures: {
    collection: 'erasures',
    toDocument: ({ calls, ...erasure }, at) => ({ _id: `moved-${at}`, ...erasure, calls: new Int32(calls) }),
    toRow: fieldsOf,
  },
  inbound_taken: {
    collection: 'inbound_taken',
    toDocument: ({ webhook_id, digest, taken_at }) => ({
      _id: `${webhook_id}:${digest}`,
      taken_at: new Date(taken_at),
    }),
    toRow: ({ _id, taken_at }) => {
      const id = String(_id)
      const end = id.lastIndexOf(':')
      return {
        webhook_id: id.slice(0, end),
        digest: id.slice(end + 1),
        taken_at: (taken_at as Date).toISOString(),
      }
    },
  },
  report_calls: {
    collection: 'report_calls',
    toDocument: row => ({ _id: namedId(row), ...row }),
    toRow: fieldsOf,
  },
  model_answers: {
    collection: 'model_answers',
    toDocument: row => ({ _id: answerId(row.project_id, row), ...row }),
    toRow: fieldsOf,
  },
  noted_calls: {
    collection: 'noted_calls',
    toDocument: (row, at) => ({ _id: numbered(at), ...row }),
    toRow: fieldsOf,
  },
  event_deliveries: {
    collection: 'event_deliveries',
    // What is still being added belongs to a write that a store finishes before it is moved.
    where: { state: { $ne: 'staged' } },
    toDocument: row => ({ _id: inProject(row.project_id, row.delivery_id), ...row, write: 0 }),
    toRow: fieldsOf,
  },
}

/** What moves row by row, as documents. */
export class MongoMovedRows implements MovedRows {
  readonly #database: MongoDatabase

  constructor(database: MongoDatabase) {
    this.#database = database
  }

  async *read<P extends MovedPart>(part: P): AsyncGenerator<readonly MovedRow<P>[]> {
    const { collection, where = {}, toRow } = PARTS[part] as Part<MovedPart>
    // What stands in for a document that must not come is none.
    const there = { ...where, vacant_until: { $exists: false } }
    const cursor = this.#database.reading<BsonDocument>(collection).find(there, { sort: { _id: 1 } })
    let rows: MovedRow<P>[] = []
    for await (const document of cursor) {
      rows.push(movedRow(part, toRow(document)))
      if (rows.length < ROWS) continue
      yield rows
      rows = []
    }
    if (rows.length > 0) yield rows
  }

  async replace<P extends MovedPart>(part: P, rows: AsyncIterable<readonly MovedRow<P>[]>): Promise<void> {
    const { collection, where = {}, toDocument } = PARTS[part] as Part<MovedPart>
    await this.#database.writing<BsonDocument>(collection).deleteMany(where)
    let written = 0
    let lastNumber = 0
    for await (const some of rows) {
      if (some.length === 0) continue
      await this.#database
        .writing<BsonDocument>(collection)
        .insertMany(some.map((row, at) => toDocument(row, written + at)))
      written += some.length
      for (const row of some) if ('seq' in row) lastNumber = Math.max(lastNumber, Number(row.seq))
    }
    // Numbers that are given later are higher than those that came.
    if (part !== 'event_deliveries') return
    const counted = await this.#database.reading('counters').findOne({ _id: collection })
    const last = Math.max(lastNumber, Number(counted?.['last'] ?? 0))
    await this.#database.writing('counters').updateOne({ _id: collection }, { $set: { last } }, { upsert: true })
  }
}
