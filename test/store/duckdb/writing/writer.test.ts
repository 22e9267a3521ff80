import { DuckDBInstance } from '@duckdb/node-api'
import { expect, onTestFinished, test } from 'vitest'
import { Writer } from '../../../../src/store/duckdb/writing/writer.js'

test('a transaction that could not be rolled back does not stand in the way of the next', async () => {
  const instance = await DuckDBInstance.create(':memory:')
  onTestFinished(() => instance.closeSync())
  const connection = await instance.connect()
  await connection.run('create table store_position (writes bigint, "at" timestamp)')
  await connection.run("insert into store_position values (0, timestamp '2026-03-01')")
  const writer = new Writer({
    connection,
    position: { writes: 0, at: '2026-03-01T00:00:00Z' },
    acknowledged: { note: async () => undefined },
  })
  // As the engine leaves it when it has no memory for the rollback either.
  await connection.run('begin transaction')
  await expect(connection.run("select error('no memory')")).rejects.toThrow('no memory')
  await expect(connection.run('select 1')).rejects.toThrow('Current transaction is aborted')

  await writer.transaction(used => used.run('create table kept (a int)'))
  expect((await connection.runAndReadAll('select writes from store_position')).getRowsJS()).toEqual([[1n]])

  await connection.run('begin transaction')
  await expect(connection.run("select error('no memory')")).rejects.toThrow('no memory')
  await writer.checkpoint()
  await writer.close()
})
