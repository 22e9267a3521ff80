import { describe, expect, it } from 'vitest'
import type { TaskRecord, TaskRunRecord } from '../../../src/store/records/task.js'
import { openStore, tempDir } from './support.js'

const task = (more: Partial<TaskRecord> = {}): TaskRecord => ({
  task_id: 'task_1',
  project_id: 'p',
  name: 'Nightly',
  kind: 'retention',
  cron: '0 3 * * *',
  time_zone: 'Europe/Berlin',
  parameters: { calls_after_days: 90 },
  enabled: true,
  created_at: '2026-03-01T00:00:00.000Z',
  created_by: 'ada@example.com',
  next_run: '2026-03-02T02:00:00.000Z',
  ...more,
})

const run = (n: number, more: Partial<TaskRunRecord> = {}): TaskRunRecord => ({
  run_id: `run_${n}`,
  task_id: 'task_1',
  trigger: 'schedule',
  state: 'running',
  started_at: '2026-03-02T02:00:00.000Z',
  ...more,
})

describe('tasks', () => {
  it('are there again after a restart, as they were', async () => {
    const dataDir = tempDir()
    const before = await openStore({ dataDir })
    await before.tasks.insert(task())
    await before.tasks.insert(task({ task_id: 'task_2', project_id: 'q', enabled: false }))
    await before.tasks.update(task({ name: 'Renamed', owed: true, last_state: 'interrupted' }))
    await before.close()
    const store = await openStore({ dataDir })
    expect(await store.tasks.all()).toEqual([
      task({ name: 'Renamed', owed: true, last_state: 'interrupted' }),
      task({ task_id: 'task_2', project_id: 'q', enabled: false }),
    ])
  })

  it('go with their runs', async () => {
    const store = await openStore()
    await store.tasks.insert(task())
    await store.tasks.putRun(run(1), task(), 10)
    expect(await store.tasks.remove('task_1')).toBe(true)
    expect(await store.tasks.remove('task_1')).toBe(false)
    expect(await store.tasks.runs('task_1', { limit: 10 })).toEqual([])
    await expect(store.tasks.update(task())).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('runs', () => {
  it('are written together with what they change about their task', async () => {
    const store = await openStore()
    await store.tasks.insert(task())
    await store.tasks.putRun(run(1), task({ last_state: 'running' }), 10)
    expect(await store.tasks.unfinished()).toEqual([run(1)])
    const ended = run(1, { state: 'ok', ended_at: '2026-03-02T02:00:09.000Z', summary: 'Done', result: { erased: 3 } })
    await store.tasks.putRun(ended, task({ last_state: 'ok' }), 10)
    expect(await store.tasks.unfinished()).toEqual([])
    expect(await store.tasks.runs('task_1', { limit: 10 })).toEqual([ended])
    expect((await store.tasks.all())[0]?.last_state).toBe('ok')
  })

  it('are listed newest first, in pages, and the oldest go', async () => {
    const store = await openStore()
    await store.tasks.insert(task())
    for (let n = 1; n <= 7; n += 1) await store.tasks.putRun(run(n), task(), 5)
    const ids = async (page: { limit: number; before?: string }) =>
      (await store.tasks.runs('task_1', page)).map(({ run_id }) => run_id)
    expect(await ids({ limit: 10 })).toEqual(['run_7', 'run_6', 'run_5', 'run_4', 'run_3'])
    expect(await ids({ limit: 2, before: 'run_6' })).toEqual(['run_5', 'run_4'])
    expect(await ids({ limit: 2, before: 'run_1' })).toEqual([])
  })

  it('of a task that is gone are not written', async () => {
    const store = await openStore()
    await store.tasks.putRun(run(1), task(), 5)
    expect(await store.tasks.runs('task_1', { limit: 10 })).toEqual([])
  })
})
