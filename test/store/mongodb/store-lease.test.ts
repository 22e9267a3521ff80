import { hostname } from 'node:os'
import { beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import { connectStore, type StoreConnection } from '../../../src/store/mongodb/connect.js'
import { openMongoStore } from '../../../src/store/mongodb/open-mongodb-store.js'
import { StoreLease } from '../../../src/store/mongodb/store-lease.js'
import { StoreHeld } from '../../../src/store/store-held.js'
import { type FakeServer, fakeServer } from '../../support/mongodb/fake-server.js'
import { call } from '../duckdb/support.js'

let server: FakeServer
let connection: StoreConnection
beforeAll(async () => {
  server = await fakeServer()
  connection = await connectStore(server.url)
  return async () => {
    await connection.client.close()
    await server.close()
  }
})
beforeEach(async () => {
  await connection.db.collection('leases').deleteMany({})
})

/** As if the time that the holder has were over: it was not renewed. */
const runOut = () => connection.db.collection('leases').updateMany({}, { $set: { until: new Date(0) } })

async function take(clock?: () => number): Promise<StoreLease> {
  const lease = await StoreLease.take(connection, clock && { clock })
  onTestFinished(() => lease.release())
  return lease
}

it('a second process is refused, told who has the store and from when on it may take it', async () => {
  await take()
  const refused = StoreLease.take(connection)
  await expect(refused).rejects.toBeInstanceOf(StoreHeld)
  await expect(refused).rejects.toThrow(
    `is in use by ${hostname()}, process ${process.pid}. Stop it; if it is gone, from ${new Date().getUTCFullYear()}-`,
  )
})

it('what is given back is taken at once, under a higher fence', async () => {
  const first = await take()
  await first.release()
  expect(first.mayWrite).toThrow('Nothing is written to the store')
  const second = await take()
  expect(second.fence).toBe(first.fence + 1)
  expect(second.mayWrite()).toBeUndefined()
})

it('who did not renew it stops writing by its own clock, before another may', async () => {
  let now = 0
  const lease = await take(() => now)
  now = 19_000
  expect(lease.mayWrite()).toBeUndefined()
  await lease.renew()
  now = 38_000
  expect(lease.mayWrite()).toBeUndefined()
  server.fault = name => (name === 'update' ? { code: 91, message: 'shutting down' } : undefined)
  await expect(lease.renew()).rejects.toThrow('shutting down')
  server.fault = undefined
  now = 40_000
  expect(lease.mayWrite).toThrow('its lease could not be renewed')
})

it('a store is one process’s until it is closed', async () => {
  const first = await openMongoStore(server.url)
  onTestFinished(() => first.close())
  expect((await first.calls.upsert('p', [call('s1')])).stored).toBe(1)
  await expect(openMongoStore(server.url)).rejects.toBeInstanceOf(StoreHeld)
  await first.close()
  const second = await openMongoStore(server.url)
  onTestFinished(() => second.close())
  expect((await second.calls.upsert('p', [call('s1')])).replaced).toBe(1)
})

it('a lease that another took is told to be lost when it is renewed', async () => {
  const old = await take()
  await runOut()
  const lease = await take()
  await old.renew()
  expect(old.mayWrite).toThrow('another process has taken it over')
  await old.release()
  await lease.renew()
  expect(lease.mayWrite()).toBeUndefined()
})
