import { DuckDBInstance } from '@duckdb/node-api'
import { expect, onTestFinished, test } from 'vitest'
import { Writer } from '../../../../src/store/duckdb/writing/writer.js'

test('a transaction that could not be rolled back does not stand in the way of the next', async () => {
  const instance = await DuckDBInstance.create(':memory:')
  onTestFinished(() => instance.closeSync())
  const [connection, holder] = [await instance.connect(), await instance.connect()]
  await connection.run('create table store_position (writes bigint, "at" timestamp)')
  await connection.run("insert into store_position values (0, timestamp '2026-03-01')")
  const writer = new Writer({
    connection,
    holder,
    logBytes: () => 0,
    isReadSlowly: () => false,
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

test('while the file is held writes go on until the log is long; then they wait for its end, as what folds the log does', async () => {
  const instance = await DuckDBInstance.create(':memory:')
  onTestFinished(() => instance.closeSync())
  const [connection, holder] = [await instance.connect(), await instance.connect()]
  await connection.run('create table store_position (writes bigint, "at" timestamp)')
  await connection.run("insert into store_position values (0, timestamp '2026-03-01')")
  let bytes = 0
  const writer = new Writer({
    connection,
    holder,
    logBytes: () => bytes,
    isReadSlowly: () => false,
    position: { writes: 0, at: '2026-03-01T00:00:00Z' },
    acknowledged: { note: async () => undefined },
  })
  const done: string[] = []
  const noted = (name: string, work: Promise<unknown>) => work.then(() => void done.push(name))
  const waiting: Promise<void>[] = []
  await writer.hold(
    async () => ({}),
    async () => {
      waiting.push(noted('folded', writer.checkpoint()))
      await noted(
        'written',
        writer.transaction(used => used.run('create table one (a int)')),
      )
      bytes = 1024 ** 3
      waiting.push(
        noted(
          'written later',
          writer.transaction(used => used.run('create table two (a int)')),
        ),
      )
      waiting.push(
        noted(
          'held again',
          writer.hold(
            async () => ({}),
            async () => undefined,
          ),
        ),
      )
      // Whatever could go on by itself has.
      await holder.runAndReadAll('select 1')
      expect(done).toEqual(['written'])
    },
  )
  await Promise.all(waiting)
  expect(done.toSorted()).toEqual(['folded', 'held again', 'written', 'written later'])
  await writer.close()
})
