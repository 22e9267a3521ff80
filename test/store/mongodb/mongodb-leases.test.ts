import { beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import { connectStore, type StoreConnection } from '../../../src/store/mongodb/connect.js'
import { MongoDatabase } from '../../../src/store/mongodb/mongodb-database.js'
import { MongoLeases } from '../../../src/store/mongodb/mongodb-leases.js'
import { MongoTurns } from '../../../src/store/mongodb/mongodb-turns.js'
import { type FakeServer, type Fault, fakeServer } from '../../support/mongodb/fake-server.js'

/** What only the passing of time shows; it passes by hand, on the server and in each process. */

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

let serverTime = Date.UTC(2026, 2, 1)
function passOnServer(ms: number): void {
  serverTime += ms
  server.hello = { localTime: new Date(serverTime) }
}

let lane: string
let lanes = 0
beforeEach(() => {
  passOnServer(0)
  lanes += 1
  lane = `lane:p${lanes}`
})

/** The leases of a process whose own time is what `now` says; it renews when it is told to. */
function process(): { readonly leases: MongoLeases; now: number } {
  const time = { now: 0 }
  const leases = new MongoLeases(connection, { clock: () => time.now })
  onTestFinished(() => leases.close())
  return Object.assign(time, { leases })
}

it('what a process that died had is taken after its time by the server’s clock, under a higher fence', async () => {
  const [dead, next] = [process(), process()]
  const held = await dead.leases.take(lane)
  passOnServer(44_999)
  expect(await next.leases.take(lane)).toBeUndefined()
  expect(await next.leases.held(lane)).toEqual(new Set([lane]))
  passOnServer(1)
  expect(await next.leases.held(lane)).toEqual(new Set())
  expect((await next.leases.take(lane))?.fence).toBe((held?.fence ?? NaN) + 1)
})

it('who did not renew writes nothing by its own clock, a margin before another may', async () => {
  const stalled = process()
  const lease = await stalled.leases.take(lane)
  stalled.now = 19_999
  expect(lease?.mayWrite()).toBeUndefined()
  expect(lease?.lost.aborted).toBe(false)
  stalled.now = 20_000
  expect(lease?.mayWrite).toThrow('Nothing is written to the store at')
  expect(lease?.lost.aborted).toBe(true)
  await stalled.leases.renew()
  expect(lease?.mayWrite).toThrow('its lease could not be renewed')
})

it('renewing goes on from when it was asked for, and what fails leaves the time as it was', async () => {
  const one = process()
  const lease = await one.leases.take(lane)
  one.now = 19_000
  await one.leases.renew()
  one.now = 38_999
  expect(lease?.mayWrite()).toBeUndefined()
  server.fault = name => (name === 'update' ? { code: 91, message: 'shutting down' } : undefined)
  await expect(one.leases.renew()).rejects.toThrow('shutting down')
  server.fault = undefined
  one.now = 39_000
  expect(lease?.mayWrite).toThrow('could not be renewed')
})

it('a renewal that failed is tried again before the time is over, as where another primary is chosen', async () => {
  const one = process()
  const lease = await one.leases.take(lane)
  let failed = 0
  server.fault = name => {
    if (name !== 'update' || failed > 0) return undefined
    failed += 1
    return { code: 10_107, message: 'not primary' }
  }
  onTestFinished(() => void (server.fault = undefined))
  const renewedTo = () => server.documents('leases').find(kept => kept['_id'] === lane)?.['until']
  passOnServer(11_000)
  one.now = 11_000
  await expect.poll(renewedTo).toEqual(new Date(serverTime + 45_000))
  expect(failed).toBe(1)
  // The answer to the renewal is on its way still: that to a later question is behind it.
  await one.leases.take(`${lane} beside`)
  await expect
    .poll(() => {
      one.now = 30_999
      return lease?.lost.aborted
    })
    .toBe(false)
  expect(lease?.mayWrite()).toBeUndefined()
})

it('a claim is renewed as leases are, leaves nothing, and of a process that died the server removes it', async () => {
  const [one, next] = [process(), process()]
  const times = () => server.documents('leases').find(kept => kept['_id'] === lane)
  const claim = await one.leases.claim(lane)
  const lease = await one.leases.take(`${lane}-beside`)
  passOnServer(30_000)
  await one.leases.renew()
  expect(times()).toMatchObject({
    until: new Date(serverTime + 45_000),
    forgotten_at: new Date(serverTime + 45_000 + 3_600_000),
  })
  passOnServer(30_000)
  expect(await next.leases.claim(lane)).toBeUndefined()
  expect(lease?.lost.aborted).toBe(false)
  await claim?.release()
  expect(times()).toBeUndefined()
})

it('what another took is lost when it is renewed; the others it has are not', async () => {
  const [old, next] = [process(), process()]
  const [kept, lost] = [await old.leases.take(`${lane}-kept`), await old.leases.take(lane)]
  passOnServer(15_000)
  await old.leases.renew()
  passOnServer(20_000)
  await connection.db.collection<{ _id: string }>('leases').updateOne({ _id: lane }, { $set: { until: new Date(0) } })
  const taken = await next.leases.take(lane)
  await old.leases.renew()
  expect(lost?.lost.aborted).toBe(true)
  expect(lost?.mayWrite).toThrow('another process has taken it over')
  expect(kept?.mayWrite()).toBeUndefined()
  await lost?.release()
  await next.leases.renew()
  expect(taken?.mayWrite()).toBeUndefined()
})

it('what is given back while it is renewed is free at once', async () => {
  const [one, next] = [process(), process()]
  const [given, kept] = [await one.leases.take(lane), await one.leases.take(`${lane}-kept`)]
  // The renewal asks for the time, and is told it once the other is given back.
  server.fault = name => {
    if (name !== 'hello') return undefined
    server.fault = undefined
    return given?.release()
  }
  await one.leases.renew()
  expect(await next.leases.take(lane)).toBeDefined()
  expect(kept?.mayWrite()).toBeUndefined()
})

it('a lease that was lost before it is renewed is another’s after its time', async () => {
  const [stalled, next] = [process(), process()]
  const lease = await stalled.leases.take(lane)
  stalled.now = 20_000
  expect(lease?.mayWrite).toThrow('its lease could not be renewed')
  passOnServer(1_000)
  await stalled.leases.renew()
  passOnServer(44_000)
  expect(await next.leases.take(lane)).toBeDefined()
})

it('a taking whose answer did not come is given back', async () => {
  const [unsure, next] = [process(), process()]
  // The driver tries once more by itself.
  const faults: Fault[] = ['answer lost', 'drop']
  server.fault = name => (name === 'findAndModify' ? faults.shift() : undefined)
  await expect(unsure.leases.take(lane)).rejects.toThrow('connection')
  server.fault = undefined
  expect(await next.leases.take(lane)).toBeDefined()
})

it('who waits longest has it first; who gave it back for others stands behind them', async () => {
  const [a, b] = [process(), process()]
  const order: string[] = []
  const having = async (who: string, leases: MongoLeases, behind = false) => {
    const lease = await leases.wait(lane, { behind })
    order.push(who)
    return lease
  }
  const first = await having('a', a.leases)
  expect(await a.leases.isWanted(lane)).toBe(false)
  const second = having('b', b.leases)
  await expect.poll(() => a.leases.isWanted(lane)).toBe(true)
  passOnServer(1)
  const third = having('a again', a.leases, true)
  await expect.poll(() => server.documents('lease_waits')).toHaveLength(2)
  await first.release()
  await (await second).release()
  await (await third).release()
  expect(order).toEqual(['a', 'b', 'a again'])
  expect(server.documents('lease_waits').filter(one => one['name'] === lane)).toEqual([])
})

it('a process that dies while it waits keeps nobody waiting', async () => {
  const [one, next] = [process(), process()]
  const gone = { name: lane, since: new Date(serverTime - 10_000), seen: new Date(serverTime - 3_000) }
  await connection.db.collection<{ _id: string }>('lease_waits').insertOne({ _id: `gone-${lane}`, ...gone })
  const lease = await one.leases.take(lane)
  const waiting = next.leases.wait(lane)
  await lease?.release()
  expect((await waiting).name).toBe(lane)
})

it('a turn of a process that died is another’s after its time', async () => {
  const [dead, next] = [process(), process()]
  await dead.leases.take(`turn:${lane}`)
  passOnServer(45_000)
  expect(await new MongoTurns(new MongoDatabase(connection.db), next.leases).run(lane, async () => 'done')).toBe('done')
})
