import { type Db, MongoServerError } from 'mongodb'
import { describe, expect, it, onTestFinished, test } from 'vitest'
import { connectStore } from '../../../src/store/mongodb/connect.js'
import { MongoStore } from '../../../src/store/mongodb/mongodb-store.js'
import { type FakeServer, fakeServer } from '../../support/mongodb/fake-server.js'
import { type ShardKey, shardOf, SHARDS } from '../../support/mongodb/mongos-rules.js'
import { pageShards } from '../../support/mongodb/page-shards.js'
import { call } from '../duckdb/support.js'

/** What is particular to a sharded cluster, on a fake of its router; what every store promises is tried there in `contract.test.ts`. */

/** The key that spreads a project by its calls, and that the page for operators advises against. */
const BY_PROJECT: ShardKey = { project_id: 1, session_id: 'hashed' }

async function router(sharded: Readonly<Record<string, ShardKey>>): Promise<FakeServer> {
  const server = await fakeServer({ sharded })
  onTestFinished(() => server.close())
  return server
}

async function open({ url }: FakeServer): Promise<MongoStore> {
  const store = await MongoStore.open(await connectStore(url))
  onTestFinished(() => store.close())
  return store
}

const calls = Array.from({ length: 40 }, (_, n) => call(`s${n}`, { score: n % 5 }))

test('with the keys of the page for operators calls lie on all shards, each once, whatever becomes of them', async () => {
  const keys = pageShards()
  const server = await router(keys)
  const store = await open(server)
  expect(Object.keys(keys)).toEqual(['calls', 'facts', 'activity'])
  await store.calls.upsert('p', calls)
  await store.calls.upsert('p', calls.slice(0, 20))
  await store.calls.eraseAll('p', ['s0', 's1'])
  for (const name of ['calls', 'facts']) {
    const there = server.documents(name)
    expect(new Set(there.map(one => shardOf(keys[name]!, one))).size).toBe(SHARDS)
    expect(there).toHaveLength(38)
    expect(new Set(there.map(one => one['_id']))).toEqual(new Set(calls.slice(2).map(one => `p:${one.session_id}`)))
  }
})

test.each<[string, Readonly<Record<string, ShardKey>>, string]>([
  [
    'calls by another key than their ids',
    { calls: BY_PROJECT },
    'calls sharded by {"project_id":1,"session_id":"hashed"}; it has to be by {"_id":"hashed"}',
  ],
  [
    'a collection that is found by more than its ids',
    { feedback: { _id: 'hashed' } },
    'feedback sharded by {"_id":"hashed"}; it has to stay on one shard',
  ],
])('a cluster that has %s sharded is refused, where it says so', async (_, sharded, said) => {
  const server = await router(sharded)
  await expect(connectStore(server.url)).rejects.toMatchObject({
    code: 'store_unavailable',
    message: `The store at ${new URL(server.url).host}/earshot has its collection ${said}, see docs/many-machines.md`,
  })
})

test('and where it does not say so a router of 7.0 takes no call, and nothing is acknowledged', async () => {
  const server = await router({ calls: BY_PROJECT, facts: BY_PROJECT })
  server.fault = (_, body) => (body['$db'] === 'config' ? { code: 13, message: 'not authorized on config' } : undefined)
  const store = await open(server)
  await expect(store.calls.upsert('p', calls)).rejects.toMatchObject({
    code: 'store_unavailable',
    message: expect.stringContaining(
      'has a collection sharded by another key than _id, and takes nothing so',
    ) as string,
  })
  expect(server.documents('calls')).toEqual([])
})

describe('a router refuses, as the manual of 7.0 says', () => {
  const has = async (): Promise<Db> => {
    const server = await router({ sharded: BY_PROJECT })
    const { client, db } = await connectStore(server.url.replace('/earshot', '/other'))
    onTestFinished(() => client.close())
    return db
  }
  const both = { project_id: 'p', session_id: 's' }

  it.each<[string, number, (db: Db) => Promise<unknown>]>([
    [
      'an upsert by _id',
      61,
      db => db.collection('sharded').updateOne({ _id: 'a' as never }, { $set: { a: 1 } }, { upsert: true }),
    ],
    [
      'an upsert by a part of the key',
      61,
      db => db.collection('sharded').replaceOne({ project_id: 'p' }, both, { upsert: true }),
    ],
    [
      'an update of one document by neither',
      72,
      db => db.collection('sharded').updateOne({ score: 1 }, { $set: { a: 1 } }),
    ],
    ['a deletion of one document by neither', 61, db => db.collection('sharded').deleteOne({ score: 1 })],
    [
      'findAndModify by _id',
      61,
      db => db.collection('sharded').findOneAndUpdate({ _id: 'a' as never }, { $set: { a: 1 } }),
    ],
    ['findAndModify by a part of the key', 61, db => db.collection('sharded').findOneAndDelete({ project_id: 'p' })],
    [
      'an index that is unique and does not begin with the key',
      67,
      db => db.collection('sharded').createIndexes([{ key: { score: 1 }, unique: true }]),
    ],
    [
      'another shard key for a document that the filter does not name by it',
      31_025,
      async db => {
        await db.collection('sharded').insertOne({ _id: 'a' as never, ...both })
        await db.collection('sharded').updateOne({ _id: 'a' as never }, { $set: { session_id: 't' } })
      },
    ],
  ])('%s', async (_, code, asks) => {
    const refused = await asks(await has()).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(MongoServerError)
    expect(refused).toMatchObject({ code })
  })

  it('and does the same where the filter names the whole key, or many documents are meant', async () => {
    const found = (await has()).collection('sharded')
    await found.updateOne(both, { $set: { a: 1 } }, { upsert: true })
    await found.updateMany({ a: 1 }, { $set: { b: 1 } })
    expect(await found.findOneAndUpdate(both, { $set: { c: 1 } }, { returnDocument: 'after' })).toMatchObject({
      a: 1,
      b: 1,
      c: 1,
    })
    await found.createIndexes([{ key: { project_id: 1, session_id: 1, score: 1 }, unique: true }])
    expect((await found.deleteOne(both)).deletedCount).toBe(1)
  })

  it('but keeps ids apart only within a shard: an update by _id alone finds each that there is', async () => {
    const found = (await has()).collection('sharded')
    const apart = ['s0', 's1', 's2', 's3', 's4'].map(session_id => ({ project_id: 'p', session_id }))
    const other = apart.find(one => shardOf(BY_PROJECT, one) !== shardOf(BY_PROJECT, apart[0]!))!
    await found.insertOne({ _id: 'a' as never, ...apart[0] })
    await found.insertOne({ _id: 'a' as never, ...other })
    expect((await found.updateOne({ _id: 'a' as never }, { $set: { a: 1 } })).matchedCount).toBe(2)
    await expect(found.insertOne({ _id: 'a' as never, ...other })).rejects.toMatchObject({ code: 11_000 })
  })
})
