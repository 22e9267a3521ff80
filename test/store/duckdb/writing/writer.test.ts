import { DuckDBInstance } from '@duckdb/node-api'
import { expect, onTestFinished, test } from 'vitest'
import { Writer } from '../../../../src/store/duckdb/writing/writer.js'

/** A writer over an engine in memory. @param logBytes of its log */
async function opened(logBytes = () => 0) {
  const instance = await DuckDBInstance.create(':memory:')
  onTestFinished(() => instance.closeSync())
  const [connection, holder, maker] = await Promise.all([instance.connect(), instance.connect(), instance.connect()])
  await connection.run('create table store_position (writes bigint, "at" timestamp)')
  await connection.run("insert into store_position values (0, timestamp '2026-03-01')")
  const writer = new Writer({
    connection,
    holder,
    maker,
    logBytes,
    isReadSlowly: () => false,
    position: { writes: 0, at: '2026-03-01T00:00:00Z' },
    acknowledged: { note: async () => undefined },
  })
  return { writer, connection, holder }
}

test('a transaction that could not be rolled back does not stand in the way of the next', async () => {
  const { writer, connection } = await opened()
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
  let bytes = 0
  const { writer, holder } = await opened(() => bytes)
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

test('what is made beside is made while others write, one after the other, and ended when the store is closed', async () => {
  const { writer, connection } = await opened()
  await connection.run('create table kept (a int)')
  const order: string[] = []
  const first = writer.making(async (used, write) => {
    await used.run('create temp table made as select 7 as a')
    await writer.transaction(other => other.run('insert into kept values (1)'))
    order.push('written')
    await write(own => own.run('insert into kept from made'))
    order.push('made')
  })
  const second = writer.making(async () => void order.push('next'))
  await Promise.all([first, second])
  expect(order).toEqual(['written', 'made', 'next'])
  expect((await connection.runAndReadAll('from kept')).getRowsJS()).toEqual([[1], [7]])
  const making = writer.making(used => used.run('select sum(sin(range)) from range(1000000000000)'))
  await Promise.all([expect(making).rejects.toThrow('closing'), writer.close()])
  await expect(writer.making(async () => undefined)).rejects.toThrow('closing')
})
