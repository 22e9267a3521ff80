import { type Document as BsonDocument, Double as BsonDouble, Int32, Long, ObjectId } from 'bson'
import { LRUCache } from 'lru-cache'
import {
  type Document,
  Double,
  double,
  evaluate,
  isArray,
  isDocument,
  parsePipeline,
  type Pipeline,
  type Value,
} from '../../../src/pipeline/index.js'
import { toBson } from '../../../src/store/mongodb/values.js'

/** More than any pipeline of ours is. */
const LIMITS = { stages: 1_000, depth: 100, bytes: 1e9, patternLength: 10_000 }

export class DuplicateKey extends Error {
  readonly code = 11_000
}

/** Documents by their ids, and those of each project: tests leave many projects behind, and most filters name one. */
export class Collection {
  readonly #all = new Map<string, Document>()
  readonly #ofProjects = new Map<Value | undefined, Map<string, Document>>()

  get(key: string): Document | undefined {
    return this.#all.get(key)
  }

  has(key: string): boolean {
    return this.#all.has(key)
  }

  set(key: string, document: Document): void {
    const { project_id: project } = document
    const before = this.#all.get(key)
    if (before !== undefined && before['project_id'] !== project)
      this.#ofProjects.get(before['project_id'])?.delete(key)
    this.#all.set(key, document)
    const others = this.#ofProjects.get(project)
    if (others === undefined) this.#ofProjects.set(project, new Map([[key, document]]))
    else others.set(key, document)
  }

  delete(key: string): boolean {
    this.#ofProjects.get(this.#all.get(key)?.['project_id'])?.delete(key)
    return this.#all.delete(key)
  }

  clear(): void {
    this.#all.clear()
    this.#ofProjects.clear()
  }

  entries(): readonly (readonly [key: string, Document])[] {
    return [...this.#all]
  }

  documents(): readonly Document[] {
    return [...this.#all.values()]
  }

  ofProject(project: string): readonly Document[] {
    return [...(this.#ofProjects.get(project)?.values() ?? [])]
  }
}

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

/** Stages that were asked for before, by their JSON: the same few orders and projections come behind nearly every filter. */
const parsed = new LRUCache<string, Pipeline>({ max: 1_000 })

/** Stages as JSON that the guard reads: whole doubles where a number is an option are numbers. */
export function run(stages: readonly object[], documents: readonly Document[]): readonly Document[] {
  if (stages.length === 0) return documents
  const json = stages.map(stage => valueOf(stage))
  const key = isJson(json) ? JSON.stringify(json) : undefined
  const before = key === undefined ? undefined : parsed.get(key)
  const pipeline = before ?? parsePipeline(json, { limits: LIMITS, derivedFields: true })
  if (key !== undefined && !key.includes('$$NOW')) parsed.set(key, pipeline)
  return evaluate(pipeline, documents)
}

/** Whether JSON writes it as it is: no dates, no numbers of other types. */
function isJson(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'bigint'
  const isPlain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype
  return isPlain && Object.values(value).every(isJson)
}

const plainId = (id: Value): unknown => (id instanceof Double ? id.value : typeof id === 'bigint' ? Number(id) : id)
export const keyOf = (document: Document): string => JSON.stringify(plainId(document['_id'] ?? null))

/** Documents that a filter by id or project can only mean, or all. */
function candidates(collection: Collection, filter: BsonDocument): readonly Document[] {
  const parts = [filter, ...((filter['$and'] as readonly BsonDocument[] | undefined) ?? [])]
  const said = (name: string) => parts.map(one => valueOf(one[name])).find(one => one !== undefined)
  const id = said('_id')
  const among = isDocument(id) ? id['$in'] : id
  if (among === undefined || isDocument(among)) {
    const project = said('project_id')
    const named = isDocument(project) ? project['$eq'] : project
    return typeof named === 'string' ? collection.ofProject(named) : collection.documents()
  }
  const ids = isArray(among) ? among : [among]
  return [...new Set(ids.map(one => JSON.stringify(plainId(one))))].flatMap((key): Document[] => {
    const found = collection.get(key)
    return found === undefined ? [] : [found]
  })
}

const isScalar = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value)

/**
 * What a filter finds that only compares fields with texts and numbers, as those by an id and a state do, which are most; or undefined,
 * where it says more, or there is more in these fields.
 */
function equal(filter: BsonDocument, documents: readonly Document[]): readonly Document[] | undefined {
  const wanted = Object.entries(filter).map(([name, value]) => [name, valueOf(value)] as const)
  if (!wanted.every(([name, value]) => !/[.$]/.test(name) && isScalar(value))) return undefined
  const isTold = (one: Document) => wanted.every(([name]) => one[name] === undefined || isScalar(one[name]))
  if (!documents.every(isTold)) return undefined
  return documents.filter(one => wanted.every(([name, value]) => one[name] === value))
}

export function match(collection: Collection, filter: BsonDocument): readonly Document[] {
  const found = candidates(collection, filter)
  if (Object.keys(filter).length === 0 || found.length === 0) return found
  return equal(filter, found) ?? run([{ $match: filter }], found)
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
