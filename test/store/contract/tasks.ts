import { describe, expect, it } from 'vitest'
import type { TaskRecord, TaskRunRecord } from '../../../src/store/records/task.js'
import type { World } from './world.js'

export const task = (id: string, more: Partial<TaskRecord> = {}): TaskRecord => ({
  task_id: id,
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

export const run = (id: string, n: number, more: Partial<TaskRunRecord> = {}): TaskRunRecord => ({
  run_id: `${id}-run_${n}`,
  task_id: id,
  trigger: 'schedule',
  state: 'running',
  started_at: '2026-03-02T02:00:00.000Z',
  ...more,
})

export function taskPromises(world: World<'tasks'>): void {
  const find = async (id: string) => (await world.store.tasks.all()).filter(({ task_id }) => task_id === id)
  const unfinished = async (id: string) =>
    (await world.store.tasks.unfinished()).filter(({ task_id }) => task_id === id)
  const runs = (id: string, page: { limit: number; before?: string } = { limit: 10 }) =>
    world.store.tasks.runs(id, page)

  describe('tasks', () => {
    it('are kept as they are; one that is gone is not changed, and its runs are gone too', async () => {
      const { tasks } = world.store
      const [id, gone] = [world.project(), world.project()]
      await tasks.insert(task(id))
      await tasks.insert(task(gone, { project_id: 'q', enabled: false }))
      await tasks.putRun(run(gone, 1), task(gone), { keep: 10 })
      await tasks.update(task(id, { name: 'Renamed', owed: true, last_state: 'interrupted' }))
      expect(await tasks.remove(gone)).toBe(true)
      expect(await tasks.remove(gone)).toBe(false)
      expect(await world.stays(() => find(id))).toEqual([
        task(id, { name: 'Renamed', owed: true, last_state: 'interrupted' }),
      ])
      expect(await world.stays(() => find(gone))).toEqual([])
      await expect(tasks.update(task(gone))).rejects.toMatchObject({ code: 'not_found' })
      await tasks.putRun(run(gone, 2), task(gone), { keep: 10 })
      expect(await world.stays(() => runs(gone))).toEqual([])
      expect(await unfinished(gone)).toEqual([])
    })

    it('have their runs written together with what these change about them', async () => {
      const { tasks } = world.store
      const id = world.project()
      await tasks.insert(task(id))
      await tasks.putRun(run(id, 1), task(id, { last_state: 'running' }), { keep: 10 })
      expect(await unfinished(id)).toEqual([run(id, 1)])
      const ended = run(id, 1, { state: 'ok', ended_at: '2026-03-02T02:00:09.000Z', result: { erased: 3 } })
      await tasks.putRun(ended, task(id, { last_state: 'ok' }), { keep: 10 })
      expect(await world.stays(() => unfinished(id))).toEqual([])
      expect(await world.stays(() => runs(id))).toEqual([ended])
      expect(await world.stays(() => find(id))).toMatchObject([{ last_state: 'ok' }])
    })

    it('have their runs listed newest first, in pages, and the oldest go', async () => {
      const { tasks } = world.store
      const id = world.project()
      await tasks.insert(task(id))
      for (let n = 1; n <= 7; n += 1) await tasks.putRun(run(id, n), task(id), { keep: 5 })
      const numbers = async (page: { limit: number; before?: string }) =>
        (await runs(id, page)).map(({ run_id }) => Number(run_id.slice(-1)))
      expect(await world.stays(() => numbers({ limit: 10 }))).toEqual([7, 6, 5, 4, 3])
      expect(await numbers({ limit: 2, before: `${id}-run_6` })).toEqual([5, 4])
      expect(await numbers({ limit: 2, before: `${id}-run_1` })).toEqual([])
    })
  })
}
