import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { Deadline } from '../../../../src/store/deadline.js'
import { inItsPlace } from '../../../../src/store/duckdb/reading/in-its-place.js'

const instance = await DuckDBInstance.create(':memory:')
const reader = await instance.connect()
const writer = await instance.connect()
const deadline = new Deadline(60_000)

afterAll(() => {
  deadline.dispose()
  reader.closeSync()
  writer.closeSync()
  instance.closeSync()
})

beforeEach(async () => {
  await writer.run(
    `create or replace table calls as select * from (values (1, 5, true), (2, 6, true), (2, 7, true), (2, 7, true), (2, 8, false),
       (2, 10, false), (4, 1, true), (4, 2, true), (4, 3, true), (4, 4, true)) as t(key, place, may)`,
  )
})

const placeOf = (key: number) => ({ sql: 'select place, may from calls where key = $1', params: [key] })
const count = async (connection: DuckDBConnection, condition: string) =>
  Number((await connection.runAndReadAll(`select count(*) from calls where ${condition}`)).getRowsJS()[0]?.[0])

it('gives the place of the one that is looked up', async () => {
  expect(await inItsPlace(reader, placeOf(1), deadline, at => Promise.resolve(at))).toEqual([5n])
})

it('gives a place where nothing is for one that is not there', async () => {
  expect(await inItsPlace(reader, placeOf(3), deadline, at => Promise.resolve(at))).toEqual([-1n])
})

it('gives the places where it may stand, each once, and as many others as are wanting', async () => {
  expect(await inItsPlace(reader, placeOf(2), deadline, at => Promise.resolve(at))).toEqual([6n, 7n, 8n])
})

it('gives none where it may stand in more than are looked at', async () => {
  expect(await inItsPlace(reader, placeOf(4), deadline, at => Promise.resolve(at))).toBeUndefined()
})

it('finds what a write moves in between', async () => {
  const found = await inItsPlace(reader, placeOf(1), deadline, async at => {
    await writer.run('update calls set place = 9 where key = 1')
    return await count(reader, `place = ${at?.[0]}`)
  })
  expect(found).toBe(1)
  expect(await count(reader, 'place = 9')).toBe(1)
})

it('leaves no transaction behind, whatever becomes of the work', async () => {
  const failed = inItsPlace(reader, placeOf(1), deadline, () => reader.run("select error('no')"))
  await expect(failed).rejects.toThrow('no')
  await writer.run('insert into calls values (5, 8, true)')
  expect(await count(reader, 'key = 5')).toBe(1)
  const ended = new Deadline(60_000, AbortSignal.abort())
  await expect(inItsPlace(reader, placeOf(1), ended, at => Promise.resolve(at))).rejects.toBe(ended.ended)
  ended.dispose()
  await writer.run('insert into calls values (6, 9, true)')
  expect(await count(reader, 'key = 6')).toBe(1)
})
