import { describe } from 'vitest'
import { connectStore } from '../../../src/store/mongodb/connect.js'
import { MongoStore } from '../../../src/store/mongodb/mongodb-store.js'
import { fakeServer } from '../../support/mongodb/fake-server.js'
import { callPromises } from '../contract/calls.js'
import { approvalPromises, holdPromises } from '../contract/privacy.js'
import { keeps, type Opened } from '../contract/world.js'

async function overFake(): Promise<Opened<'calls' | 'counts' | 'privacy' | 'run' | 'stream'>> {
  const server = await fakeServer()
  const open = async () => await MongoStore.open(await connectStore(server.url))
  let store = await open()
  return {
    store,
    reopen: async () => {
      await store.close()
      store = await open()
      return store
    },
    end: async () => {
      await store.close()
      await server.close()
    },
  }
}

describe('calls over a server that speaks as MongoDB does (a fake)', () => {
  keeps(overFake, callPromises, holdPromises, approvalPromises)
})
