import type { DuckDBConnection } from '@duckdb/node-api'
import { expect, test, vi } from 'vitest'
import { ConnectionLane } from '../../../../src/store/duckdb/reading/connection-lane.js'
import { Deadline } from '../../../../src/store/deadline.js'
import { BudgetSpent, LightBudget } from '../../../../src/store/light-budget.js'

const requester = { project: 'p', key: 'k' }

test('work that does not heed its deadline keeps its connection, but not its asker', async () => {
  const connection = {} as DuckDBConnection
  const lane = new ConnectionLane('heavy', [connection], 4)
  let end: (result: string) => void = () => undefined
  const late = new Promise<string>(resolve => (end = resolve))
  await expect(lane.with({ requester, deadline: new Deadline(10) }, () => late)).rejects.toMatchObject({
    code: 'deadline_exceeded',
  })
  expect(lane.load).toEqual({ running: 1, waiting: 0 })

  const next = lane.with({ requester, deadline: new Deadline(10_000) }, async given => given)
  expect(lane.load).toEqual({ running: 1, waiting: 1 })
  end('at last')
  expect(await next).toBe(connection)
  expect(lane.load).toEqual({ running: 0, waiting: 0 })
})

/** Work that heeds the end it is given. */
const endless = (_: DuckDBConnection, deadline: Deadline) =>
  new Promise<never>((_resolve, reject) => {
    deadline.onEnd(() => reject(deadline.ended!))
  })

test('work within a budget is ended when that is spent, and its connection is free', async () => {
  const lane = new ConnectionLane('light', [{} as DuckDBConnection], 4)
  const budget = new LightBudget(20)
  const deadline = new Deadline(60_000)
  await expect(lane.with({ requester, deadline, budget }, endless)).rejects.toBeInstanceOf(BudgetSpent)
  expect(budget.leftMs).toBe(0)
  expect(deadline.ended).toBeUndefined()
  expect(lane.load).toEqual({ running: 0, waiting: 0 })
  deadline.dispose()
})

test('a budget is work: among three queries that share the engine it lasts three times as long', async () => {
  const beside = 2
  const lane = new ConnectionLane('light', [{} as DuckDBConnection], 4, 0, () => beside)
  const budget = new LightBudget(20)
  const deadline = new Deadline(60_000)
  const began = performance.now()
  await expect(lane.with({ requester, deadline, budget }, endless)).rejects.toBeInstanceOf(BudgetSpent)
  // A timer may be early by a part of a millisecond, and late by any time.
  expect(performance.now() - began).toBeGreaterThan(59)
  expect(budget.spentMs).toBe(20)
  deadline.dispose()
})

test('what ends before its budget does leaves the rest of it, and its asker going away is no spent budget', async () => {
  const lane = new ConnectionLane('light', [{} as DuckDBConnection], 4)
  const budget = new LightBudget(60_000)
  const leaving = new AbortController()
  const deadline = new Deadline(60_000, leaving.signal)
  expect(await lane.with({ requester, deadline, budget }, () => Promise.resolve('found'))).toBe('found')
  expect(budget.leftMs).toBeGreaterThan(0)
  const left = lane.with({ requester, deadline, budget }, endless)
  leaving.abort()
  await expect(left).rejects.toMatchObject({ code: 'cancelled' })
})

test('a project that takes what it gets leaves a connection for another, and waits behind nobody but itself', async () => {
  const connections = Array.from({ length: 4 }, () => ({}) as DuckDBConnection)
  const lane = new ConnectionLane('light', connections, 8, 1)
  const leaving = new AbortController()
  const deadline = new Deadline(60_000, leaving.signal)
  const flood = Array.from({ length: 12 }, () => lane.with({ requester, deadline }, endless))
  const flooded = Promise.allSettled(flood)
  const other = { project: 'q', key: 'k' }
  for (let round = 0; round < 3; round += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await lane.with({ requester: other, deadline }, () => Promise.resolve())
  }
  expect(lane.load).toEqual({ running: 3, waiting: 8 })
  leaving.abort()
  const codes = (await flooded).map(one => (one as PromiseRejectedResult).reason.code as string)
  expect(codes.filter(code => code === 'busy')).toHaveLength(1)
})

test('who waits when the lane closes is told so, and gets no connection', async () => {
  const interrupted: (() => void)[] = []
  const connection = { interrupt: () => interrupted.shift()?.(), closeSync: () => undefined } as unknown
  const lane = new ConnectionLane('light', [connection as DuckDBConnection], 4)
  const deadline = new Deadline(60_000)
  const running = lane.with({ requester, deadline }, () => new Promise<void>(resolve => interrupted.push(resolve)))
  const waiting = lane.with({ requester, deadline }, () => Promise.resolve())
  const refused = waiting.catch((error: unknown) => error)
  // Until it runs.
  await vi.waitUntil(() => interrupted.length > 0)
  await lane.close()
  expect(await refused).toMatchObject({ code: 'store_unavailable' })
  await running
  await expect(lane.with({ requester, deadline }, () => Promise.resolve())).rejects.toMatchObject({
    code: 'store_unavailable',
  })
  deadline.dispose()
})
