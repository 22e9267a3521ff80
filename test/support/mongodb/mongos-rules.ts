import { createHash } from 'node:crypto'
import type { Document as BsonDocument } from 'bson'
import { type Document, isDocument, type Value } from '../../../src/pipeline/index.js'
import { type Update, valueOf } from './documents.js'

/**
 * What a router of a sharded cluster (mongos 7.0) refuses, and which shards it asks, as far as the store could meet it. Read from the
 * manual, https://www.mongodb.com/docs/v7.0/, and from the router's source (src/mongo/s/collection_routing_info_targeter.cpp, with
 * `featureFlagUpdateOneWithoutShardKey` off, as it is in 7.0); no router was at hand. From 7.1 on it refuses less: single writes without
 * the shard key are sent in two phases.
 *
 * Not here, as the store does none of it: `$out`, `$merge`, `$lookup`, transactions. The fake knows none of these.
 */

/** Fields of a shard key, in their order. */
export type ShardKey = Readonly<Record<string, 1 | 'hashed'>>

/** How many shards a sharded collection lies on. */
export const SHARDS = 3

/** What a router refuses, with its code. */
export class RefusedByRouter extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

const SHARD_KEY_NOT_FOUND = 61
const INVALID_OPTIONS = 72
const CANNOT_CREATE_INDEX = 67
const SHARD_KEY_CHANGED = 31_025

const ALL: readonly number[] = Array.from({ length: SHARDS }, (_, shard) => shard)

/**
 * Where a document lies. A field of the key that it does not have counts as null.
 * core/sharding-set-missing-shard-key-fields/
 */
export function shardOf(key: ShardKey, document: Document): number {
  return createHash('md5').update(valuesOf(key, document)).digest().readUInt32LE(0) % SHARDS
}

const valuesOf = (key: ShardKey, document: Document): string =>
  JSON.stringify(
    Object.keys(key).map(name => document[name] ?? null),
    (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value),
  )

/** What a filter says of a field by equality: `{field: value}` or `{field: {$eq: value}}`, alone or within `$and`. */
function equality(filter: BsonDocument, name: string): Value | undefined {
  const parts = [filter, ...((filter['$and'] as readonly BsonDocument[] | undefined) ?? [])]
  for (const part of parts) {
    const value = valueOf(part[name])
    if (value === undefined) continue
    if (!isDocument(value)) return value
    if (value['$eq'] !== undefined) return value['$eq']
  }
  return undefined
}

/** The shard that a filter names by the whole shard key. */
function shardNamed(key: ShardKey, filter: BsonDocument): number | undefined {
  const entries = Object.keys(key).map((name): [string, Value | undefined] => [name, equality(filter, name)])
  if (entries.some(([, value]) => value === undefined)) return undefined
  return shardOf(key, Object.fromEntries(entries) as Document)
}

/** Shards that may have what a filter is about: of a hashed key the one that it names wholly, else all. core/sharded-cluster-query-router/ */
export function shardsAsked(key: ShardKey, filter: BsonDocument): readonly number[] {
  const named = shardNamed(key, filter)
  return named === undefined ? ALL : [named]
}

const isReplacement = (change: unknown): change is BsonDocument =>
  !Array.isArray(change) && !Object.keys(change as BsonDocument).some(name => name.startsWith('$'))

/**
 * reference/command/update/#sharded-collections: an upsert has to name the whole shard key in its filter; any other update of one document
 * that, or its `_id`, for which all shards are asked; one that replaces may have the shard key in what it puts there.
 */
export function shardsOfUpdate(key: ShardKey, { q, u, upsert, multi }: Update): readonly number[] {
  const named = shardNamed(key, q)
  if (named !== undefined) return [named]
  if (upsert) {
    throw new RefusedByRouter(
      SHARD_KEY_NOT_FOUND,
      'Failed to target upsert by query :: could not extract exact shard key',
    )
  }
  if (isReplacement(u)) {
    const id = equality(q, '_id')
    return [shardOf(key, { ...(id !== undefined && { _id: id }), ...(valueOf(u) as Document) })]
  }
  if (!multi && equality(q, '_id') === undefined) {
    throw new RefusedByRouter(
      INVALID_OPTIONS,
      `A {multi:false} update on a sharded collection must contain an exact match on _id or target a single shard, but this update targeted ${SHARDS} shards`,
    )
  }
  return ALL
}

/** reference/command/delete/#sharded-collections: of one document the shard key or its `_id` is to be named. */
export function shardsOfDelete(key: ShardKey, filter: BsonDocument, isSingle: boolean): readonly number[] {
  const named = shardNamed(key, filter)
  if (named !== undefined) return [named]
  if (isSingle && equality(filter, '_id') === undefined) {
    throw new RefusedByRouter(
      SHARD_KEY_NOT_FOUND,
      'A single delete on a sharded collection must contain an exact match on _id or contain the shard key',
    )
  }
  return ALL
}

/** reference/command/findAndModify/#sharded-collections: the filter names the whole shard key; `_id` in its place does not do. */
export function shardOfFindAndModify(key: ShardKey, filter: BsonDocument): number {
  const named = shardNamed(key, filter)
  if (named === undefined) {
    throw new RefusedByRouter(SHARD_KEY_NOT_FOUND, 'Query for sharded findAndModify must contain the shard key')
  }
  return named
}

/** core/sharding-change-shard-key-value/: a document's shard key is changed by a write of one alone, whose filter names the whole key as it was. */
export function checkShardKeyKept(key: ShardKey, { q, multi }: Update, before: Document, after: Document): void {
  if (valuesOf(key, before) === valuesOf(key, after) || (!multi && shardNamed(key, q) !== undefined)) return
  throw new RefusedByRouter(
    SHARD_KEY_CHANGED,
    'Shard key update is not allowed without specifying the full shard key in the query',
  )
}

/** core/sharding-shard-key-indexes/#unique-indexes: an index that is unique begins with the fields of the shard key, or with `_id`. */
export function checkIndex(key: ShardKey, index: BsonDocument): void {
  if (index['unique'] !== true) return
  const fields = Object.keys(index['key'] as BsonDocument)
  if (fields[0] === '_id' || Object.keys(key).every((name, at) => fields[at] === name)) return
  throw new RefusedByRouter(
    CANNOT_CREATE_INDEX,
    `cannot create unique index over ${JSON.stringify(fields)} with shard key pattern ${JSON.stringify(key)}`,
  )
}
