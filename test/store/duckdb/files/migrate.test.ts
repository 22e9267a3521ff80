import { DuckDBInstance } from '@duckdb/node-api'
import { expect, it } from 'vitest'
import { checkColumns } from '../../../../src/store/duckdb/files/open-files.js'
import { migrate } from '../../../../src/store/duckdb/files/migrate.js'
import { migrations } from '../../../../src/store/duckdb/migrations/migrations.js'

async function connection() {
  const instance = await DuckDBInstance.create(':memory:')
  return instance.connect()
}

it('gives the table of calls the columns of the record: a change of the record needs a migration', async () => {
  const store = await connection()
  await migrate(store, migrations, '/data')
  await expect(checkColumns(store)).resolves.toBeUndefined()
})

it('names the columns that differ from the record', async () => {
  const store = await connection()
  await migrate(store, migrations, '/data')
  await store.run('alter table calls drop column title')
  await expect(checkColumns(store)).rejects.toThrow(/title: none -> VARCHAR/)
})

it('counts versions up by one', () => {
  expect(migrations.map(({ version }) => version)).toEqual(migrations.map((_, i) => i + 1))
})

it('applies only the steps a store has not had', async () => {
  const store = await connection()
  const first = { version: 1, name: 'one', statements: ['create table a (x INTEGER)'] }
  const second = { version: 2, name: 'two', statements: ['alter table a add column y INTEGER'] }
  expect(await migrate(store, [first], '/data')).toBe(0)
  expect(await migrate(store, [first, second], '/data')).toBe(1)
  expect(await migrate(store, [first, second], '/data')).toBe(2)
})

it('leaves the version before when a step fails', async () => {
  const store = await connection()
  const broken = { version: 1, name: 'broken', statements: ['create table a (x INTEGER)', 'create nonsense'] }
  await expect(migrate(store, [broken], '/data')).rejects.toThrow(/Parser Error/)
  expect(await migrate(store, [{ ...broken, statements: ['create table a (x INTEGER)'] }], '/data')).toBe(0)
})

it('refuses a store of a newer program', async () => {
  const store = await connection()
  const step = (version: number) => ({ version, name: `v${version}`, statements: [] })
  await migrate(store, [step(1), step(2)], '/data')
  await expect(migrate(store, [step(1)], '/data')).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('has version 2 and this program knows versions up to 1'),
  })
})

it('says of older calls with readings, and of no others, that their evaluation was imported', async () => {
  const store = await connection()
  await migrate(store, migrations.slice(0, 10), '/data')
  const add = async (id: string, column: string, value: string) =>
    await store.run(
      `insert into calls (project_id, session_key, session_id, agent_name, created_dt, search_text, write_number, ${column})
       values ('p', 0, '${id}', 'Ana', timestamp '2026-03-01', '', 0, ${value})`,
    )
  await add('bare', 'title', `'x'`)
  await add('empty', 'signals', '[]')
  await add('scored', 'score', '3')
  await add('read', 'signals', `[{'key': 'sig.x', 'state': 'present'}]`)
  await add('ours', 'evaluation', `{'evaluator': 'rules'}`)
  await migrate(store, migrations, '/data')
  const found = await store.runAndReadAll('select session_id, evaluation.evaluator from calls order by 1')
  expect(found.getRowsJS()).toEqual([
    ['bare', null],
    ['empty', null],
    ['ours', 'rules'],
    ['read', 'imported'],
    ['scored', 'imported'],
  ])
})

it('takes accents out of what is searched of older calls', async () => {
  const store = await connection()
  await migrate(store, migrations.slice(0, 22), '/data')
  for (const [id, text] of [
    ['plain', 'hello'],
    ['accents', 'cancelación, rückerstattung'],
  ])
    // oxlint-disable-next-line no-await-in-loop
    await store.run(
      `insert into calls (project_id, session_key, session_id, agent_name, created_dt, search_text, write_number)
       values ('p', 0, '${id}', 'Ana', timestamp '2026-03-01', '${text}', 0)`,
    )
  await migrate(store, migrations, '/data')
  const found = await store.runAndReadAll('select session_id, search_text from calls order by 1')
  expect(found.getRowsJS()).toEqual([
    ['accents', 'cancelacion, ruckerstattung'],
    ['plain', 'hello'],
  ])
})
