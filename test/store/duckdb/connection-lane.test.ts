import type { DuckDBConnection } from '@duckdb/node-api'
import { expect, test } from 'vitest'
import { ConnectionLane } from '../../../src/store/duckdb/connection-lane.js'
import { Deadline } from '../../../src/store/duckdb/deadline.js'

test('work that does not heed its deadline keeps its connection, but not its asker', async () => {
  const connection = {} as DuckDBConnection
  const lane = new ConnectionLane('heavy', [connection], 4)
  let end: (result: string) => void = () => undefined
  const late = new Promise<string>(resolve => (end = resolve))
  await expect(lane.with(new Deadline(10), () => late)).rejects.toMatchObject({ code: 'deadline_exceeded' })
  expect(lane.load).toEqual({ running: 1, waiting: 0 })

  const next = lane.with(new Deadline(10_000), async given => given)
  expect(lane.load).toEqual({ running: 1, waiting: 1 })
  end('at last')
  expect(await next).toBe(connection)
  expect(lane.load).toEqual({ running: 0, waiting: 0 })
})
