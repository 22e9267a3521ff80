import { randomUUID } from 'node:crypto'
import type { ActivityRecord } from '../../../src/store/activity-record.js'
import { connectStore } from '../../../src/store/mongodb/connect.js'
import { MongoStore, type MongoStoreOptions } from '../../../src/store/mongodb/mongodb-store.js'
import { type FakeServer, fakeServer } from './fake-server.js'
import { pageShards } from './page-shards.js'

/** A store over the driver: on a fake, or on the server that EARSHOT_TEST_STORE_URL names, in a database of its own there. */
export interface OpenedMongo {
  readonly store: MongoStore
  /** As another process has it; closed with it. */
  beside(options?: MongoStoreOptions): Promise<MongoStore>
  /** The fake, where it is one. */
  readonly server: FakeServer | undefined
  /** Has requests on record, as lines of the audit trail. */
  record(events: readonly ActivityRecord[]): Promise<void>
  reopen(): Promise<MongoStore>
  end(): Promise<void>
}

// oxlint-disable-next-line node/no-process-env -- the one place that reads it
const given = process.env['EARSHOT_TEST_STORE_URL']

export async function mongoStore(options: MongoStoreOptions = {}): Promise<OpenedMongo> {
  return await storeOn(given === undefined ? await fakeServer() : undefined, options)
}

/** A store on a fake of a router, whose collections are sharded as the page for operators says. */
export async function shardedStore(): Promise<OpenedMongo> {
  return await storeOn(await fakeServer({ sharded: pageShards() }), {})
}

async function storeOn(server: FakeServer | undefined, options: MongoStoreOptions): Promise<OpenedMongo> {
  const url = new URL(server?.url ?? given ?? '')
  url.pathname = `/earshot-test-${randomUUID()}`
  const connect = async () => await connectStore(url.href)
  let store = await MongoStore.open(await connect(), options)
  const others: MongoStore[] = []
  return {
    store,
    server,
    beside: async given => {
      const other = await MongoStore.open(await connect(), given)
      others.push(other)
      return other
    },
    record: async events => {
      const written = new Date().toISOString()
      await store.auditChains.append(events.map(({ seq, ...event }) => ({ seq, written, event, mac: '' })))
    },
    reopen: async () => {
      await store.close()
      store = await MongoStore.open(await connect(), options)
      return store
    },
    end: async () => {
      await Promise.all([store, ...others].map(one => one.close()))
      if (server === undefined) {
        const { client, db } = await connect()
        await db.dropDatabase()
        await client.close()
      }
      await server?.close()
    },
  }
}
