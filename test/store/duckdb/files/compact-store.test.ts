import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { DuckDbStore } from '../../../../src/store/duckdb/duckdb-store.js'
import { compactStore, rowGroupOf } from '../../../../src/store/duckdb/files/compact-store.js'
import type { TaskRecord, TaskRunRecord } from '../../../../src/store/records/task.js'
import { call, openStore, rows, tempDir } from '../support.js'
import { isWhole } from '../../../support/whole.js'

const onRecord = <T>(_replayed: number, work: () => Promise<T>) => work()
const options = { memoryLimit: '256MB', threads: 1, onRecord }

const task: TaskRecord = {
  task_id: 'task_1',
  project_id: 'p',
  name: 'Nightly',
  kind: 'retention',
  cron: '0 3 * * *',
  time_zone: 'UTC',
  parameters: {},
  enabled: true,
  created_at: '2026-03-01T00:00:00.000Z',
  created_by: 'ada',
}
const run = (id: string): TaskRunRecord => ({
  run_id: id,
  task_id: 'task_1',
  trigger: 'schedule',
  state: 'ok',
  started_at: '2026-03-02T02:00:00.000Z',
})

/** Every row of every table, as text. */
async function everything(store: DuckDbStore): Promise<Record<string, unknown[]>> {
  const tables = await rows(store, 'select table_name from duckdb_tables() where not temporary order by 1')
  const found: Record<string, unknown[]> = {}
  for (const [name] of tables as string[][]) {
    found[name!] = await rows(store, `select t::varchar from "${name}" t order by 1`)
  }
  return found
}

it('keeps every row of every table, what a store goes on from, and nothing that was erased', async () => {
  const dataDir = tempDir()
  const before = await openStore({ dataDir })
  const calls = Array.from({ length: 300 }, (_, n) =>
    call(`s${n}`, { title: `call ${n}`, coaching_summary: `private words ${n} `.repeat(200) }),
  )
  await before.calls.upsert('p', calls)
  await before.tasks.insert(task)
  for (const id of ['run_1', 'run_2', 'run_3']) await before.tasks.putRun(run(id), task, { keep: 2 })
  await before.calls.eraseAll(
    'p',
    calls.slice(0, 250).map(({ session_id }) => session_id),
  )
  const kept = await everything(before)
  expect(Object.keys(kept).length).toBeGreaterThan(10)
  await before.close()
  const report = await compactStore({ ...options, dataDir })
  expect(report).toMatchObject({ data_dir: dataDir, calls: 50 })
  expect(report.bytes_after).toBe(statSync(join(dataDir, 'earshot.duckdb')).size)
  expect(statSync(join(dataDir, 'earshot.duckdb')).mode & 0o777).toBe(0o600)
  const after = await openStore({ dataDir })
  expect(await everything(after)).toEqual(kept)
  expect((await after.calls.upsert('p', [call('s0'), call('new')])).erased).toEqual(['s0'])
  // The order of runs goes on behind the last one.
  await after.tasks.putRun(run('run_4'), task, { keep: 2 })
  expect((await after.tasks.runs('task_1', { limit: 9 })).map(({ run_id }) => run_id)).toEqual(['run_4', 'run_3'])
  expect(readdirSync(dataDir).filter(name => name.includes('.new-'))).toEqual([])
})

it('says so where there is no store', async () => {
  await expect(compactStore({ ...options, dataDir: tempDir() })).rejects.toMatchObject({ code: 'not_found' })
})

it('leaves the store as it was when it can not be put on record', async () => {
  const dataDir = tempDir()
  const before = await openStore({ dataDir })
  await before.calls.upsert('p', [call('a')])
  await before.close()
  const { ino } = statSync(join(dataDir, 'earshot.duckdb'))
  const told: number[] = []
  const compacting = compactStore({
    ...options,
    dataDir,
    onRecord: async (replayed, work) => {
      told.push(replayed)
      await work()
      throw new Error('The trail is out')
    },
  })
  await expect(compacting).rejects.toThrow('The trail is out')
  expect(told).toEqual([0])
  expect(statSync(join(dataDir, 'earshot.duckdb')).ino).toBe(ino)
  expect(readdirSync(dataDir).filter(name => name.includes('.new-'))).toEqual([])
})

it('takes away what a compaction left that was killed: texts of calls, and room', async () => {
  const dataDir = tempDir()
  const before = await openStore({ dataDir })
  await before.calls.upsert('p', [call('a')])
  await before.close()
  for (const name of ['earshot.duckdb.new-1-2', 'earshot.duckdb.new-1-2.wal'])
    writeFileSync(join(dataDir, name), 'what was said')
  mkdirSync(join(dataDir, 'tmp'))
  writeFileSync(join(dataDir, 'tmp', 'spilled'), 'what was said')
  expect(await compactStore({ ...options, dataDir })).toMatchObject({ calls: 1 })
  expect(readdirSync(dataDir).sort()).toEqual(['earshot.acknowledged', 'earshot.duckdb'])
})

it('has as many calls in a row group as leave some thousand of them, and as fit in small memory', () => {
  const usual = 850
  expect(rowGroupOf(0, 1_000_000)).toBe(2_048)
  expect(rowGroupOf(2_000_000, 2_000_000 * usual)).toBe(2_048)
  expect(rowGroupOf(3_000_000, 3_000_000 * usual)).toBe(4_096)
  expect(rowGroupOf(10_000_000, 10_000_000 * usual)).toBe(10_240)
  expect(rowGroupOf(100_000_000, 100_000_000 * usual)).toBe(10_240)
  expect(rowGroupOf(10_000_000, 10_000_000 * 3_000)).toBe(4_096)
  expect(rowGroupOf(10_000_000, 10_000_000 * 50_000)).toBe(2_048)
})

it.runIf(isWhole)(
  'writes larger row groups, beside which calls go on being written, replaced, erased and found',
  async () => {
    const dataDir = tempDir()
    const before = await openStore({ dataDir })
    const made = (n: number, title: string) => call(`s${n}`, { title: `${title} ${n}`, score: 1 + (n % 5) })
    const many = (from: number, to: number, title: string) =>
      Array.from({ length: to - from }, (_, n) => made(from + n, title))
    for (let n = 0; n < 6_000; n += 2_000) await before.calls.upsert('p', many(n, n + 2_000, 'first'))
    const groups = `select count(distinct row_group_id)::integer from pragma_storage_info('calls') where column_name = 'session_id'`
    expect(await rows(before, groups)).toEqual([[3]])
    await before.close()
    await compactStore({ ...options, dataDir, rowGroup: 4_096 })
    const store = await openStore({ dataDir })
    expect(await rows(store, groups)).toEqual([[2]])
    await store.calls.upsert('p', many(5_900, 8_100, 'second'))
    await store.calls.eraseAll('p', ['s0', 's5999', 's8000'])
    const titles = `select split_part(title, ' ', 1), count(*)::integer, count(distinct session_id)::integer from calls group by 1 order by 1`
    const expected = [
      ['first', 5_899, 5_899],
      ['second', 2_198, 2_198],
    ]
    expect(await rows(store, titles)).toEqual(expected)
    await store.close()
    await compactStore({ ...options, dataDir })
    expect(await rows(await openStore({ dataDir }), titles)).toEqual(expected)
  },
)
