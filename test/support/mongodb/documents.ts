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

interface Placed {
  readonly document: Document
  /** In the order in which they came. */
  readonly place: number
}

/** Lists stand apart: a comparison with a text looks into them. */
const LISTS = Symbol('lists')
type Indexed = Map<string | typeof LISTS, Map<string, Placed>>

/** Documents by their ids, and by what text a field has, once that was asked for: as a server finds them by an index. */
export class Collection {
  readonly #all = new Map<string, Placed>()
  readonly #indexes = new Map<string, Indexed>()
  #places = 0

  get(key: string): Document | undefined {
    return this.#all.get(key)?.document
  }

  has(key: string): boolean {
    return this.#all.has(key)
  }

  set(key: string, document: Document): void {
    const before = this.#all.get(key)
    const placed = { document, place: before?.place ?? (this.#places += 1) }
    this.#all.set(key, placed)
    for (const [name, index] of this.#indexes) {
      if (before !== undefined) leave(index, name, key, before)
      enter(index, name, key, placed)
    }
  }

  delete(key: string): boolean {
    const before = this.#all.get(key)
    if (before === undefined) return false
    for (const [name, index] of this.#indexes) leave(index, name, key, before)
    return this.#all.delete(key)
  }

  clear(): void {
    this.#all.clear()
    this.#indexes.clear()
  }

  entries(): readonly (readonly [key: string, Document])[] {
    return [...this.#all].map(([key, { document }]) => [key, document])
  }

  documents(): readonly Document[] {
    return Array.from(this.#all.values(), one => one.document)
  }

  /** All that may meet one of some conditions, that with the fewest: a field and the texts of which it has to be one. */
  meeting(conditions: readonly (readonly [name: string, texts: readonly string[]])[]): readonly Document[] {
    const each = conditions.map(([name, texts]) => {
      const index = this.#index(name)
      return [...new Set<string | typeof LISTS>([...texts, LISTS])].flatMap(one => index.get(one) ?? [])
    })
    const sizeOf = (found: readonly ReadonlyMap<string, Placed>[]) => found.reduce((sum, { size }) => sum + size, 0)
    const [fewest = []] = each.toSorted((one, other) => sizeOf(one) - sizeOf(other))
    const found = fewest.flatMap(one => [...one.values()])
    // Those that were changed stand last.
    const isInOrder = found.every(({ place }, at) => at === 0 || found[at - 1]!.place < place)
    const inOrder = isInOrder ? found : found.toSorted((one, other) => one.place - other.place)
    return inOrder.map(one => one.document)
  }

  #index(name: string): Indexed {
    const found = this.#indexes.get(name)
    if (found !== undefined) return found
    const index: Indexed = new Map()
    for (const [key, placed] of this.#all) enter(index, name, key, placed)
    this.#indexes.set(name, index)
    return index
  }
}

/** What a document stands under; nothing finds by a text what has neither text nor list. */
function indexed(value: Value | undefined): string | typeof LISTS | undefined {
  if (typeof value === 'string') return value
  return isArray(value) ? LISTS : undefined
}

function leave(index: Indexed, name: string, key: string, { document }: Placed): void {
  const under = indexed(document[name])
  if (under !== undefined) index.get(under)?.delete(key)
}

function enter(index: Indexed, name: string, key: string, placed: Placed): void {
  const under = indexed(placed.document[name])
  if (under === undefined) return
  const others = index.get(under)
  if (others === undefined) index.set(under, new Map([[key, placed]]))
  else others.set(key, placed)
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

/** Documents that a filter by id or by texts can only mean, or all. */
function candidates(collection: Collection, filter: BsonDocument): readonly Document[] {
  const parts = [filter, ...((filter['$and'] as readonly BsonDocument[] | undefined) ?? [])]
  const said = parts.flatMap(part => Object.entries(part).map(([name, value]) => [name, amongOf(value)] as const))
  const ids = said.find(([name, among]) => name === '_id' && among !== undefined)?.[1]
  if (ids !== undefined) {
    return [...new Set(ids.map(one => JSON.stringify(plainId(one))))].flatMap((key): Document[] => {
      const found = collection.get(key)
      return found === undefined ? [] : [found]
    })
  }
  const conditions = said.flatMap(([name, among]) => {
    const isOfTexts = among !== undefined && !/[.$]/.test(name) && among.every(one => typeof one === 'string')
    return isOfTexts ? [[name, among] as const] : []
  })
  return conditions.length === 0 ? collection.documents() : collection.meeting(conditions)
}

/** The values of which a field has to be one; undefined where it is another condition. */
function amongOf(condition: unknown): readonly Value[] | undefined {
  const value = valueOf(condition)
  if (!isDocument(value)) return isArray(value) ? undefined : [value]
  const among = value['$eq'] === undefined ? value['$in'] : [value['$eq']]
  return isArray(among) ? among : undefined
}

type Plain = string | number | boolean | Date
const isPlain = (value: unknown): value is Plain =>
  ['string', 'boolean'].includes(typeof value) || Number.isFinite(value) || value instanceof Date

type Holds = (value: Plain, wanted: Plain) => boolean
const isEqual: Holds = (value, wanted) =>
  value instanceof Date && wanted instanceof Date ? value.getTime() === wanted.getTime() : value === wanted

/** What has an order here: that of texts is not JavaScript's. */
const isOrdered = (value: unknown) => typeof value === 'number' || value instanceof Date
const inOrder =
  (holds: (difference: number) => boolean): Holds =>
  (value, wanted) =>
    isOrdered(value) && typeof value === typeof wanted && holds(Number(value) - Number(wanted))

const ORDER: Readonly<Record<string, Holds>> = {
  $lt: inOrder(difference => difference < 0),
  $lte: inOrder(difference => difference <= 0),
  $gt: inOrder(difference => difference > 0),
  $gte: inOrder(difference => difference >= 0),
}

const comparisonOf = (how: string, wanted: unknown): Holds | undefined =>
  how === '$eq' ? isEqual : isOrdered(wanted) ? ORDER[how] : undefined

/** The comparisons with one value each that a filter is made of; undefined where it says more. */
function comparisons(filter: BsonDocument): readonly (readonly [name: string, Holds, Plain])[] | undefined {
  const found = Object.entries(filter).map(([name, condition]) => {
    if (name === '$and') {
      const parts = (condition as readonly BsonDocument[]).map(comparisons)
      return parts.includes(undefined) ? undefined : parts.flatMap(part => part!)
    }
    if (/[.$]/.test(name)) return undefined
    const value = valueOf(condition)
    const said = isPlain(value) ? [['$eq', value] as const] : isDocument(value) ? Object.entries(value) : []
    const each = said.flatMap(([how, wanted]) => {
      const holds = comparisonOf(how, wanted)
      return holds === undefined || !isPlain(wanted) ? [] : [[name, holds, wanted] as const]
    })
    return each.length > 0 && each.length === said.length ? each : undefined
  })
  return found.includes(undefined) ? undefined : found.flatMap(part => part!)
}

/**
 * What a filter finds that only compares fields with texts, numbers and dates, as those of a project and a time do, which are most; or undefined,
 * where it says more, or there is more in these fields.
 */
function compared(filter: BsonDocument, documents: readonly Document[]): readonly Document[] | undefined {
  const wanted = comparisons(filter)
  if (wanted === undefined) return undefined
  const isTold = (one: Document) => wanted.every(([name]) => one[name] === undefined || isPlain(one[name]))
  if (!documents.every(isTold)) return undefined
  return documents.filter(one =>
    wanted.every(([name, how, value]) => one[name] !== undefined && how(one[name] as Plain, value)),
  )
}

export function match(collection: Collection, filter: BsonDocument): readonly Document[] {
  const found = candidates(collection, filter)
  if (Object.keys(filter).length === 0 || found.length === 0) return found
  return compared(filter, found) ?? run([{ $match: filter }], found)
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
