import type { Document as BsonDocument } from 'bson'
import type { Db } from 'mongodb'
import { Problem } from '../../base/problem.js'

/** Collections that are large enough to be sharded; the others are found by other fields than their ids too. */
const SHARDED: ReadonlySet<string> = new Set(['calls', 'facts', 'activity'])

/** A collection as a cluster has it on record. */
interface Sharded {
  readonly _id: string
  readonly key: BsonDocument
  /** It lies on one shard, and is on record as well. */
  readonly unsplittable?: boolean
}

/**
 * Whether a cluster has the store's collections sharded by their ids, where it says so: whoever reads and writes one database alone is not
 * told. Newer routers would take writes by another key, and what guards the id of a call that is gone would guard it on another shard.
 */
export async function checkShardKeys(db: Db, where: string): Promise<void> {
  const ours = { $gte: `${db.databaseName}.`, $lt: `${db.databaseName}/` }
  const known = await db.client
    .db('config')
    .collection<Sharded>('collections')
    .find({ _id: ours }, { projection: { key: 1, unsplittable: 1 } })
    .toArray()
    .catch(() => [])
  for (const { _id, key, unsplittable } of known) {
    const name = _id.slice(db.databaseName.length + 1)
    if (unsplittable === true || (SHARDED.has(name) && Object.keys(key).join() === '_id')) continue
    const right = SHARDED.has(name) ? 'it has to be by {"_id":"hashed"}' : 'it has to stay on one shard'
    throw new Problem(
      'store_unavailable',
      `The store at ${where} has its collection ${name} sharded by ${JSON.stringify(key)}; ${right}, see docs/many-machines.md`,
    )
  }
}
