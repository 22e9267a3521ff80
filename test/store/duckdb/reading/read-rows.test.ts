import { DuckDBInstance } from '@duckdb/node-api'
import { expect, it, onTestFinished } from 'vitest'
import { allRows } from '../../../../src/store/duckdb/reading/read-rows.js'
import { call, openStore, rows } from '../support.js'

it('gives each asking of one statement its own answer, however many others were asked between', async () => {
  const store = await openStore({ maxLight: 1 })
  await store.calls.upsert('p', [call('a', { score: 1 }), call('b', { score: 2 })])
  const scoreOf = (id: string) => rows(store, 'select score from calls where session_id = $1', [id])
  expect([await scoreOf('a'), await scoreOf('b'), await scoreOf('nowhere')]).toEqual([[[1]], [[2]], []])
  // More than are kept.
  for (let n = 0; n < 100; n += 1)
    expect(await rows(store, `select ${n} + len($1)`, ['ab'])).toEqual([[BigInt(n) + 2n]])
  expect([await scoreOf('b'), await scoreOf('a')]).toEqual([[[2]], [[1]]])
  // What is written between is seen.
  await store.calls.upsert('p', [call('a', { score: 3 })])
  expect(await scoreOf('a')).toEqual([[3]])
})

it.each([
  ['without parameters', '', []],
  ['with', 'where project = $1', ['p']],
] as const)('reads whole what was written after a statement %s was first asked', async (_, where, values) => {
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  onTestFinished(() => connection.closeSync())
  await connection.run('create table kept (project VARCHAR, id VARCHAR)')
  // The engine packs what it puts in order by the longest text that it knows of.
  const asked = () => allRows(connection, `select id from kept ${where} order by id`, [...values])
  await connection.run(`insert into kept values ('p', 'a')`)
  expect(await asked()).toEqual([['a']])
  await connection.run(`insert into kept values ('p', 'b, longer than it was')`)
  expect(await asked()).toEqual([['a'], ['b, longer than it was']])
})

it('goes on after a statement that failed, was refused or was ended', async () => {
  const store = await openStore({ maxLight: 1 })
  const number = (text: string) => rows(store, 'select $1::integer', [text])
  expect(await number('1')).toEqual([[1]])
  await expect(number('x')).rejects.toThrow(/convert|Conversion|internal/i)
  expect(await number('2')).toEqual([[2]])
  await expect(rows(store, 'select nothing from nowhere')).rejects.toThrow(/nowhere|internal/i)
  const slow = {
    sql: 'select sum(a.range * b.range) from range(1000000) a, range(1000000) b where a.range > $1',
    params: [1],
  }
  const ask = () =>
    store.query({ ...slow, decode: row => row as never }, { lane: 'light', deadlineMs: 200, maxRows: 1 })
  await expect(ask()).rejects.toMatchObject({ code: 'deadline_exceeded' })
  await expect(ask()).rejects.toMatchObject({ code: 'deadline_exceeded' })
  expect(await number('3')).toEqual([[3]])
})
