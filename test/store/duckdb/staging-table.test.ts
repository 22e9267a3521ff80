import { BIGINT, DuckDBInstance, VARCHAR } from '@duckdb/node-api'
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { StagingTable } from '../../../src/store/duckdb/writing/staging-table.js'

const MIB = 1024 * 1024
const md5 = (text: string) => createHash('md5').update(text).digest('hex')

test('what is staged is there to the byte, short or long, as text or as bytes, and nothing of before', async () => {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  type Row = { readonly id: string; readonly write: bigint | null; readonly json: string | Uint8Array }
  const table = new StagingTable<Row>(
    'rows',
    [
      { name: 'id', type: VARCHAR, of: row => row.id },
      { name: 'write', type: BIGINT, of: row => row.write },
    ],
    row => row.json,
  )
  const texts = ['', '{}', 'x'.repeat(MIB), 'x'.repeat(MIB + 1), 'größer 😀 '.repeat(300_000), '😀'.repeat(4 * MIB)]
  const rows = texts.flatMap((text, i): Row[] => [
    { id: `text-${i}`, write: BigInt(i), json: text },
    { id: `bytes-${i}`, write: null, json: Buffer.from(text) },
  ])
  const held = async () => {
    const found = await connection.runAndReadAll('select id, write, md5(decode(json)) from rows order by id')
    return found.getRowsJS()
  }
  await table.make(connection)
  await table.add(connection, [{ id: 'of before', write: null, json: 'y'.repeat(2 * MIB) }])
  await table.make(connection)
  await table.add(connection, rows)
  const expected = rows
    .map(({ id, write, json }) => [id, write, md5(Buffer.from(json).toString())])
    .toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1))
  expect(await held()).toEqual(expected)
  await table.clear(connection)
  expect(await held()).toEqual([])
  connection.closeSync()
  instance.closeSync()
})
