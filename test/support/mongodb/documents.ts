import { type Document as BsonDocument, Double as BsonDouble, Int32, Long, ObjectId } from 'bson'
import {
  type Document,
  Double,
  double,
  evaluate,
  isArray,
  isDocument,
  parsePipeline,
  type Value,
} from '../../../src/pipeline/index.js'
import { toBson } from '../../../src/store/mongodb/values.js'

/** More than any pipeline of ours is. */
const LIMITS = { stages: 1_000, depth: 100, bytes: 1e9, patternLength: 10_000 }

export class DuplicateKey extends Error {
  readonly code = 11_000
}

/** Documents by their ids. */
export type Collection = Map<string, Document>

/** A value of BSON as pipelines have it; ids of the driver's own are texts. */
export function valueOf(value: unknown): Value {
  if (value instanceof Int32) return value.value
  if (value instanceof BsonDouble) return double(value.value)
  if (value instanceof Long) return value.toBigInt()
  if (value instanceof ObjectId) return value.toHexString()
  if (Array.isArray(value)) return value.map(valueOf)
  if (value === null || typeof value !== 'object' || value instanceof Date) return value as Value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, valueOf(inner)]))
}

/** Stages as JSON that the guard reads: whole doubles where a number is an option are numbers. */
export function run(stages: readonly object[], documents: readonly Document[]): readonly Document[] {
  if (stages.length === 0) return documents
  const json = stages.map(stage => valueOf(stage))
  const parsed = parsePipeline(json, { limits: LIMITS, derivedFields: true })
  return evaluate(parsed, documents)
}

const plainId = (id: Value): unknown => (id instanceof Double ? id.value : typeof id === 'bigint' ? Number(id) : id)
export const keyOf = (document: Document): string => JSON.stringify(plainId(document['_id'] ?? null))

/** Documents that a filter by id can only mean, or all. */
export function candidates(collection: Collection, filter: BsonDocument): readonly Document[] {
  const parts = [filter, ...((filter['$and'] as readonly BsonDocument[] | undefined) ?? [])]
  const id = parts.map(one => valueOf(one['_id'])).find(one => one !== undefined)
  const among = isDocument(id) ? id['$in'] : id
  if (among === undefined || isDocument(among)) return [...collection.values()]
  const ids = isArray(among) ? among : [among]
  return [...new Set(ids.map(one => JSON.stringify(plainId(one))))].flatMap((key): Document[] => {
    const found = collection.get(key)
    return found === undefined ? [] : [found]
  })
}

export const match = (collection: Collection, filter: BsonDocument) => {
  const found = candidates(collection, filter)
  return Object.keys(filter).length === 0 || found.length === 0 ? found : run([{ $match: filter }], found)
}

/** An update of documents that a filter finds, or of the one that is put there. */
export interface Update {
  readonly q: BsonDocument
  readonly u: unknown
  readonly upsert: boolean
  readonly multi: boolean
}

export interface Updated {
  readonly matched: number
  readonly upserted?: unknown
  readonly id?: Value
}

/** @param checked is told what becomes of each document before it does */
export function update(
  collection: Collection,
  { q, u, upsert, multi }: Update,
  checked?: (before: Document, after: Document) => void,
): Updated {
  const change = u as BsonDocument
  const found = match(collection, q).slice(0, multi ? undefined : 1)
  for (const one of found) {
    const after = changed(one, change, false)
    checked?.(one, after)
    collection.set(keyOf(after), after)
  }
  if (found.length > 0 || !upsert) return { matched: found.length, ...(found[0] && { id: found[0]['_id']! }) }
  const equal = Object.entries(q).filter(([name, value]) => !name.startsWith('$') && !isDocument(valueOf(value)))
  const base = Object.fromEntries(equal.map(([name, value]): [string, Value] => [name, valueOf(value)]))
  const made = changed({ _id: new ObjectId().toHexString(), ...base }, change, true)
  if (collection.has(keyOf(made))) throw new DuplicateKey('E11000 duplicate key')
  collection.set(keyOf(made), made)
  return { matched: 0, upserted: toBson(made['_id']!), id: made['_id']! }
}

const isPipeline = (change: BsonDocument | readonly BsonDocument[]): change is readonly BsonDocument[] =>
  Array.isArray(change)

/** What the fake knows of updates; of any other it says so, as of any other command. */
const UPDATES = new Set(['$set', '$setOnInsert', '$unset', '$inc', '$max'])

function changed(before: Document, change: BsonDocument | readonly BsonDocument[], isNew: boolean): Document {
  if (isPipeline(change)) return run([...change], [before])[0]!
  const unknown = Object.keys(change).find(name => name.startsWith('$') && !UPDATES.has(name))
  if (unknown !== undefined) throw new Error(`the fake has no update ${unknown}`)
  if (!Object.keys(change).some(name => name.startsWith('$'))) {
    return { _id: before['_id']!, ...(valueOf(change) as Document) }
  }
  const after: Record<string, Value> = { ...before }
  const fields = (name: string) => Object.entries(valueOf(change[name] ?? {}) as Document)
  for (const [name, value] of fields('$set')) after[name] = value
  if (isNew) for (const [name, value] of fields('$setOnInsert')) after[name] = value
  for (const [name] of fields('$unset')) delete after[name]
  for (const [name, value] of fields('$max')) {
    if (Number(value) > Number(after[name] ?? -Infinity)) after[name] = value
  }
  for (const [name, value] of fields('$inc')) {
    const [a, b] = [after[name] ?? 0, value]
    after[name] =
      typeof a === 'bigint' || typeof b === 'bigint' ? BigInt(a as number) + BigInt(b as number) : Number(a) + Number(b)
  }
  return after
}
