import { randomUUID } from 'node:crypto'
import { connectStore } from '../../../src/store/mongodb/connect.js'
import { MongoStore } from '../../../src/store/mongodb/mongodb-store.js'
import { fakeServer } from './fake-server.js'

/** A store over the driver: on a fake, or on the server that EARSHOT_TEST_STORE_URL names, in a database of its own there. */
export interface OpenedMongo {
  readonly store: MongoStore
  reopen(): Promise<MongoStore>
  end(): Promise<void>
}

// oxlint-disable-next-line node/no-process-env -- the one place that reads it
const given = process.env['EARSHOT_TEST_STORE_URL']

export async function mongoStore(): Promise<OpenedMongo> {
  const server = given === undefined ? await fakeServer() : undefined
  const url = new URL(server?.url ?? given ?? '')
  url.pathname = `/earshot-test-${randomUUID()}`
  const connect = async () => await connectStore(url.href)
  let store = await MongoStore.open(await connect())
  return {
    store,
    reopen: async () => {
      await store.close()
      store = await MongoStore.open(await connect())
      return store
    },
    end: async () => {
      await store.close()
      if (server === undefined) {
        const { client, db } = await connect()
        await db.dropDatabase()
        await client.close()
      }
      await server?.close()
    },
  }
}
