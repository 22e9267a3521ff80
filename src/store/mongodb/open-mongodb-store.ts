import { connectStore } from './connect.js'
import { MongoStore, type MongoStoreOptions } from './mongodb-store.js'
import { StoreLease } from './store-lease.js'

/**
 * Opens the store of a MongoDB server's address for this process alone. Rejects with a Problem whose sentence is for the operator:
 * see `connectStore`; another process has the store.
 */
export async function openMongoStore(url: string, options: Pick<MongoStoreOptions, 'rest'> = {}): Promise<MongoStore> {
  const connection = await connectStore(url)
  try {
    const lease = await StoreLease.take(connection)
    const ending = () => lease.release()
    return await MongoStore.open(connection, { ...options, mayWrite: lease.mayWrite, ending }).catch(
      async (error: unknown) => {
        await ending()
        throw error
      },
    )
  } catch (error) {
    await connection.client.close()
    throw error
  }
}
