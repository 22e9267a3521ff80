import { type Document as BsonDocument, Long } from 'bson'
import type { Document } from '../../../src/pipeline/index.js'
import { toBson } from '../../../src/store/mongodb/values.js'
import { Collection, DuplicateKey, keyOf, match, run, type Update, update, type Updated, valueOf } from './documents.js'
import {
  checkIndex,
  checkShardKeyKept,
  RefusedByRouter,
  type ShardKey,
  shardOf,
  shardOfFindAndModify,
  SHARDS,
  shardsAsked,
  shardsOfDelete,
  shardsOfUpdate,
} from './mongos-rules.js'

/** A collection, where it is sharded in as many parts as there are shards. */
interface Kept {
  readonly key: ShardKey | undefined
  readonly parts: readonly Collection[]
}

/** What a session did last, to be told again where it asks again: core/retryable-writes/ of the manual. */
interface Done {
  readonly number: string
  readonly reply: BsonDocument
}

const BAD_VALUE = 9

/** What the members of a replica set, or the routers of a cluster, have in common: documents, and which writes were done. */
export class FakeData {
  readonly #collections = new Map<string, Kept>()
  readonly #done = new Map<string, Done>()
  readonly #notes: readonly Document[]
  readonly #shardKeys: Readonly<Record<string, ShardKey>>

  /**
   * @param notes what is on record of it in each database, of what a store asks a server first (`probes`)
   * @param shardKeys of collections of any database, by their names; of those of `earshot` the cluster has them on record
   */
  constructor(notes: readonly Document[], shardKeys: Readonly<Record<string, ShardKey>> = {}) {
    this.#notes = notes
    this.#shardKeys = shardKeys
    const onRecord = new Collection()
    for (const [name, key] of Object.entries(shardKeys)) {
      const one = { _id: `earshot.${name}`, key }
      onRecord.set(keyOf(one), one)
    }
    this.#collections.set('config.collections', { key: undefined, parts: [onRecord] })
  }

  /** Documents of a collection of the database `earshot`. */
  documents(name: string): readonly Document[] {
    return this.#collections.get(`earshot.${name}`)?.parts.flatMap(part => part.documents()) ?? []
  }

  /** What brings everything back to how it is now, as a member does with writes that no majority has. */
  remembered(): () => void {
    const kept = [...this.#collections].map(([name, { parts }]) => [name, parts.map(part => part.entries())] as const)
    const done = new Map(this.#done)
    return () => {
      for (const { parts } of this.#collections.values()) for (const part of parts) part.clear()
      for (const [name, parts] of kept) {
        for (const [at, part] of parts.entries()) {
          for (const [key, document] of part) this.#collections.get(name)?.parts[at]?.set(key, document)
        }
      }
      this.#done.clear()
      for (const [session, one] of done) this.#done.set(session, one)
    }
  }

  of(body: BsonDocument, command: string): Kept {
    const short = String(body[command])
    const name = `${String(body['$db'])}.${short}`
    const key = this.#shardKeys[short]
    const before = this.#collections.get(name)
    if (before !== undefined) return before
    const parts = Array.from({ length: key === undefined ? 1 : SHARDS }, () => new Collection())
    const found = { key, parts }
    if (short === 'probes') for (const one of this.#notes) parts[0]!.set(keyOf(one), one)
    this.#collections.set(name, found)
    return found
  }

  /** Does a write that a session numbers once, however often it is asked for. */
  once(body: BsonDocument, write: () => BsonDocument): BsonDocument {
    if (body['txnNumber'] === undefined) return write()
    const session = JSON.stringify(body['lsid'])
    const number = String(body['txnNumber'])
    const before = this.#done.get(session)
    if (before?.number === number) return before.reply
    const reply = write()
    this.#done.set(session, { number, reply })
    return reply
  }
}

/** Answers a command. @param read hears how many documents its filter let through, where it reads */
export type Answer = (name: string, body: BsonDocument, read?: (documents: number) => void) => BsonDocument

/**
 * What one server does of commands on data, with cursors of its own.
 * @param mostInBatch documents that it gives at once, whatever it is asked for: as where they are large
 */
export function commandsOn(data: FakeData, mostInBatch = Infinity): Answer {
  const cursors = new Map<string, Document[]>()
  let lastCursor = 0

  function answer(name: string, body: BsonDocument, read: (documents: number) => void = () => undefined): BsonDocument {
    switch (name) {
      case 'buildInfo':
        return { version: '6.0.1', ok: 1 }
      case 'dbStats':
        return { storageSize: 4096, indexSize: 4096, ok: 1 }
      case 'find': {
        const { filter = {}, sort, skip, limit, projection } = body
        const stages = [
          ...(sort === undefined ? [] : [{ $sort: sort as object }]),
          ...(skip === undefined ? [] : [{ $skip: skip as number }]),
          ...(limit === undefined || Number(limit) === 0 ? [] : [{ $limit: Math.abs(Number(limit)) }]),
          ...(projection === undefined ? [] : [{ $project: projection as object }]),
        ]
        const asked = partsAsked(data.of(body, 'find'), filter as BsonDocument)
        const found = asked.flatMap(part => match(part, filter as BsonDocument))
        read(found.length)
        return firstBatch(body, run(stages, found))
      }
      case 'aggregate': {
        const [first, ...others] = body['pipeline'] as readonly BsonDocument[]
        const filter = first?.['$match'] as BsonDocument | undefined
        const found = data.of(body, 'aggregate').parts.flatMap(part => match(part, filter ?? {}))
        read(found.length)
        return firstBatch(body, run(filter !== undefined || first === undefined ? others : [first, ...others], found))
      }
      case 'getMore': {
        const id = String(body['getMore'])
        const left = cursors.get(id)
        if (left === undefined) return { ok: 0, code: 43, errmsg: `cursor id ${id} not found` }
        const batch = left.splice(0, Math.min(mostInBatch, Number(body['batchSize'] ?? 101)))
        if (left.length === 0) cursors.delete(id)
        return {
          cursor: { id: Long.fromString(left.length === 0 ? '0' : id), ns: 'x.y', nextBatch: batch.map(toBson) },
          ok: 1,
        }
      }
      case 'killCursors':
        for (const id of body['cursors'] as readonly unknown[]) cursors.delete(String(id))
        return { ok: 1 }
      case 'insert':
      case 'update':
      case 'delete':
      case 'findAndModify':
        return data.once(body, () => WRITES[name](data.of(body, name), body))
      case 'createIndexes': {
        const { key } = data.of(body, 'createIndexes')
        if (key !== undefined) for (const index of body['indexes'] as readonly BsonDocument[]) checkIndex(key, index)
        return { ok: 1 }
      }
      case 'ping':
      case 'endSessions':
      case 'killSessions':
        return { ok: 1 }
      default:
        return { ok: 0, code: 59, errmsg: `no such command: '${name}'` }
    }
  }

  function firstBatch(body: BsonDocument, found: readonly Document[]): BsonDocument {
    const size = Number((body['cursor'] as BsonDocument | undefined)?.['batchSize'] ?? body['batchSize'] ?? 101)
    const left = [...found]
    const first = left.splice(0, Math.min(mostInBatch, size))
    const single = body['singleBatch'] === true || left.length === 0
    const id = single ? '0' : String((lastCursor += 1))
    if (!single) cursors.set(id, left)
    return { cursor: { id: Long.fromString(id), ns: 'x.y', firstBatch: first.map(toBson) }, ok: 1 }
  }

  return (name, body, read) => {
    try {
      return answer(name, body, read)
    } catch (error) {
      return { ok: 0, ...errorOf(error) }
    }
  }
}

const errorOf = (error: unknown) => ({
  code: error instanceof DuplicateKey || error instanceof RefusedByRouter ? error.code : BAD_VALUE,
  errmsg: error instanceof Error ? error.message : String(error),
})

const partsAsked = ({ key, parts }: Kept, filter: BsonDocument): readonly Collection[] =>
  key === undefined ? parts : shardsAsked(key, filter).map(shard => parts[shard]!)

/** Does statements one after the other, as far as the first that fails, or all of them where they are not ordered. */
function statements<T>(body: BsonDocument, name: string, one: (statement: BsonDocument, index: number) => T) {
  const done: T[] = []
  const writeErrors: BsonDocument[] = []
  for (const [index, statement] of (body[name] as readonly BsonDocument[]).entries()) {
    try {
      done.push(one(statement, index))
    } catch (error) {
      writeErrors.push({ index, ...errorOf(error) })
      if (body['ordered'] !== false) break
    }
  }
  return { done, failed: writeErrors.length > 0 && { writeErrors } }
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)

/** An update, done by those shards that have what it is about. */
function updateIn({ key, parts }: Kept, asked: Update): Updated {
  if (key === undefined) return update(parts[0]!, asked)
  const done = shardsOfUpdate(key, asked).map(shard => update(parts[shard]!, asked, keepsShardKey(key, asked)))
  return { ...done[0], matched: sum(done.map(one => one.matched)) }
}

/** Nothing that the store does moves a document to another shard: the fake refuses that, whether a router would or not. */
const keepsShardKey = (key: ShardKey, asked: Update) => (before: Document, after: Document) => {
  checkShardKeyKept(key, asked, before, after)
  if (shardOf(key, before) !== shardOf(key, after)) throw new Error('the fake moves no document to another shard')
}

const WRITES = {
  insert: ({ key, parts }: Kept, body: BsonDocument): BsonDocument => {
    const { done, failed } = statements(body, 'documents', one => {
      const document = valueOf(one) as Document
      const part = parts[key === undefined ? 0 : shardOf(key, document)]!
      if (part.has(keyOf(document))) throw new DuplicateKey('E11000 duplicate key')
      part.set(keyOf(document), document)
    })
    return { n: done.length, ...failed, ok: 1 }
  },

  update: (kept: Kept, body: BsonDocument): BsonDocument => {
    const { done, failed } = statements(body, 'updates', ({ q, u, upsert, multi }, index) => ({
      index,
      ...updateIn(kept, { q: q as BsonDocument, u: u as BsonDocument, upsert: upsert === true, multi: multi === true }),
    }))
    const upserted = done.flatMap(({ upserted: id, index }) => (id === undefined ? [] : [{ index, _id: id }]))
    const matched = sum(done.map(one => one.matched))
    const n = matched + upserted.length
    return { n, nModified: matched, ...(upserted.length > 0 && { upserted }), ...failed, ok: 1 }
  },

  delete: ({ key, parts }: Kept, body: BsonDocument): BsonDocument => {
    const { done, failed } = statements(body, 'deletes', ({ q, limit }) => {
      const filter = q as BsonDocument
      const isSingle = Number(limit) === 1
      const shards = key === undefined ? [0] : shardsOfDelete(key, filter, isSingle)
      let n = 0
      for (const part of shards.map(shard => parts[shard]!)) {
        const found = match(part, filter)
        for (const one of isSingle ? found.slice(0, 1) : found) if (part.delete(keyOf(one))) n += 1
      }
      return n
    })
    return { n: sum(done), ...failed, ok: 1 }
  },

  findAndModify: ({ key, parts }: Kept, body: BsonDocument): BsonDocument => {
    const query = body['query'] as BsonDocument
    const part = parts[key === undefined ? 0 : shardOfFindAndModify(key, query)]!
    const found = match(part, query)
    const before = (body['sort'] === undefined ? found : run([{ $sort: body['sort'] as object }], found))[0]
    if (body['remove'] === true) {
      if (before !== undefined) part.delete(keyOf(before))
      return { value: before === undefined ? null : toBson(before), ok: 1 }
    }
    const q = before === undefined ? query : { ...query, _id: toBson(before['_id']!) }
    const asked = { q, u: body['update'], upsert: body['upsert'] === true, multi: false }
    const { id } = update(part, asked, key && keepsShardKey(key, asked))
    const after = id === undefined ? undefined : part.get(keyOf({ _id: id }))
    const shown = body['new'] === true ? after : before
    return {
      value: shown === undefined ? null : toBson(shown),
      lastErrorObject: { n: after === undefined ? 0 : 1 },
      ok: 1,
    }
  },
}
