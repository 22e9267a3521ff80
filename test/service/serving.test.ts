import { expect, onTestFinished, test } from 'vitest'
import { servedBy, Serving } from '../../src/service/serving.js'
import { InProcessLeases } from '../../src/store/in-process-leases.js'
import { mongoStore } from '../support/mongodb/mongo-store.js'

test('a store is served by those who say so, until they end', async () => {
  const opened = await mongoStore()
  onTestFinished(() => opened.end())
  const { store } = opened
  const [one, other] = [new Serving(store.leases), new Serving((await opened.beside()).leases)]
  expect(await servedBy(store.leases)).toEqual([])
  await Promise.all([one.start(), other.start()])
  expect(await servedBy(store.leases)).toEqual([
    expect.stringMatching(`, process ${process.pid} \\(`),
    expect.stringMatching(`, process ${process.pid} \\(`),
  ])
  await one.close()
  expect(await servedBy(store.leases)).toHaveLength(1)
  await other.close()
  expect(await servedBy(store.leases)).toEqual([])
})

test('who lost that it serves says so again', async () => {
  const leases = new InProcessLeases()
  const losing = new AbortController()
  let taken = 0
  const unsure = {
    held: (prefix: string) => leases.held(prefix),
    take: (name: string) => leases.take(name),
    claim: async (name: string) => {
      taken += 1
      const lease = await leases.claim(name)
      if (taken > 1 || lease === undefined) return lease
      return { ...lease, lost: losing.signal, release: () => lease.release() }
    },
  }
  const serving = new Serving(unsure)
  await serving.start()
  losing.abort()
  await expect.poll(() => taken).toBeGreaterThan(1)
  await serving.close()
})
