import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Problem } from '../../src/base/problem.js'
import type { TaskRecord, TaskRunRecord } from '../../src/store/records/task.js'
import { MemoryTasks } from '../support/memory-tasks.js'
import { refusal } from '../support/access.js'
import { aScheduler, nightly } from './support.js'

const HOUR = 3_600_000

beforeEach(() =>
  vi.useFakeTimers({ now: Date.parse('2026-03-01T00:00:00Z'), toFake: ['Date', 'setTimeout', 'clearTimeout'] }),
)
afterEach(() => void vi.useRealTimers())

/** Lets time pass, and what it sets going come to its end. */
async function pass(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms)
  await vi.advanceTimersByTimeAsync(0)
}

function gate() {
  let open = () => undefined as void
  const opened = new Promise<void>(resolve => (open = resolve))
  return { open, opened }
}

const brief = ({ trigger, state, started_at }: TaskRunRecord) => `${started_at.slice(0, 16)} ${trigger} ${state}`

describe('a task', () => {
  it('runs when it is due, in its zone, and is due again', async () => {
    const { tasks, scheduler, ran, store } = await aScheduler(async () => undefined)
    const { task_id: id } = await tasks.create('p', nightly(), 'ada')
    await scheduler.start()
    await pass(2 * HOUR - 1)
    expect(ran).toEqual([])
    await pass(1)
    expect((await store.runs(id, { limit: 9 })).map(brief)).toEqual(['2026-03-01T02:00 schedule ok'])
    expect(tasks.get('p', id)).toMatchObject({
      last_run: '2026-03-01T02:00:00.000Z',
      last_state: 'ok',
      next_run: '2026-03-02T02:00:00.000Z',
    })
    await pass(24 * HOUR)
    expect(ran).toHaveLength(2)
    await scheduler.stop()
    await pass(48 * HOUR)
    expect(ran).toHaveLength(2)
  })

  it('does not run while it is disabled or when it was deleted', async () => {
    const { tasks, scheduler, ran } = await aScheduler(async () => undefined)
    await scheduler.start()
    const disabled = await tasks.create('p', { ...nightly('* * * * *'), enabled: false }, 'ada')
    const deleted = await tasks.create('p', nightly('* * * * *'), 'ada')
    await tasks.remove('p', deleted.task_id)
    await pass(HOUR)
    expect(ran).toEqual([])
    await tasks.patch('p', disabled.task_id, { enabled: true })
    await pass(60_000)
    expect(ran).toHaveLength(1)
  })

  it('never runs twice at the same time: a time that passes meanwhile is skipped', async () => {
    const { open, opened } = gate()
    const { tasks, scheduler, ran, skips, store } = await aScheduler(() => opened)
    const { task_id: id } = await tasks.create('p', nightly('* * * * *'), 'ada')
    await scheduler.start()
    await pass(5.5 * 60_000)
    expect([scheduler.running, store.runRecords.size]).toEqual([1, 1])
    expect(await refusal(() => scheduler.runNow('p', id))).toBe('conflict: The task is running already')
    open()
    await pass(0)
    expect([ran.length, skips]).toEqual([1, ['retention']])
    await pass(30_000)
    expect((await store.runs(id, { limit: 9 })).map(brief)).toEqual([
      '2026-03-01T00:06 schedule ok',
      '2026-03-01T00:01 schedule ok',
    ])
  })

  it('waits while two others of its project run', async () => {
    const { open, opened } = gate()
    const { tasks, scheduler, ran } = await aScheduler(() => opened)
    for (let n = 0; n < 5; n += 1) await tasks.create('p', nightly('* * * * *'), 'ada')
    await scheduler.start()
    await pass(60_000)
    expect(scheduler.running).toBe(2)
    open()
    await pass(1_000)
    expect(ran.length).toBeGreaterThanOrEqual(5)
  })

  it('does not wait for two of another project, however long they run', async () => {
    const { open, opened } = gate()
    let begun = 0
    const { tasks, scheduler } = await aScheduler(async () => {
      begun += 1
      if (begun <= 2) await opened
    })
    for (let n = 0; n < 4; n += 1) await tasks.create('p', nightly('* * * * *'), 'ada')
    const { task_id: id } = await tasks.create('q', nightly('2 * * * *'), 'ada')
    await scheduler.start()
    await pass(90_000)
    expect(scheduler.running).toBe(2)
    await pass(60_000)
    expect(tasks.get('q', id)).toMatchObject({ last_state: 'ok' })
    open()
    await pass(1_000)
    await scheduler.stop()
  })

  it('does not wait for those of others that are longer due, if theirs have had a turn', async () => {
    const ends: (() => void)[] = []
    let over = false
    const { tasks, scheduler } = await aScheduler(async () => {
      if (!over) await new Promise<void>(resolve => ends.push(resolve))
    })
    const own: TaskRecord[] = []
    for (let n = 0; n < 3; n += 1) own.push(await tasks.create('p', nightly('1 * * * *'), 'ada'))
    for (let n = 0; n < 2; n += 1) await tasks.create('q', nightly('1 * * * *'), 'ada')
    const late = await tasks.create('p1', nightly('2 * * * *'), 'ada')
    await scheduler.start()
    await pass(150_000)
    const states = () => [...own, late].map(task => tasks.get(task.project_id, task.task_id).last_state)
    expect(states()).toEqual(['running', 'running', undefined, undefined])
    // What is longer due is of p and q, which have had a turn.
    ends.shift()?.()
    await pass(0)
    expect(states()).toEqual(['ok', 'running', undefined, 'running'])
    over = true
    for (const end of ends) end()
    await pass(1_000)
    await scheduler.stop()
  })

  it('runs beside however many another project asked for by hand', async () => {
    const { open, opened } = gate()
    let begun = 0
    const { tasks, scheduler } = await aScheduler(async () => {
      begun += 1
      if (begun <= 3) await opened
    })
    const byHand = []
    for (let n = 0; n < 3; n += 1) byHand.push(await tasks.create('p', nightly(), 'ada'))
    const { task_id: id } = await tasks.create('q', nightly('* * * * *'), 'ada')
    await scheduler.start()
    for (const { task_id } of byHand) await scheduler.runNow('p', task_id)
    await pass(90_000)
    expect(tasks.get('q', id)).toMatchObject({ last_state: 'ok' })
    open()
    await pass(1_000)
    await scheduler.stop()
  })

  it('waits also while more than two run because they were asked for', async () => {
    const { open, opened } = gate()
    const { tasks, scheduler } = await aScheduler(() => opened)
    const byHand = []
    for (let n = 0; n < 3; n += 1) byHand.push(await tasks.create('p', nightly(), 'ada'))
    for (let n = 0; n < 3; n += 1) await tasks.create('p', nightly('* * * * *'), 'ada')
    await scheduler.start()
    for (const { task_id } of byHand) await scheduler.runNow('p', task_id)
    await pass(90_000)
    expect(scheduler.running).toBe(3)
    open()
    await pass(1_000)
    await scheduler.stop()
  })

  it('runs when it is asked for, on time all the same', async () => {
    const { tasks, scheduler, store } = await aScheduler(async () => undefined)
    const { task_id: id } = await tasks.create('p', { ...nightly(), enabled: false }, 'ada')
    await scheduler.start()
    const run = await scheduler.runNow('p', id)
    expect(run).toMatchObject({ task_id: id, trigger: 'manual', state: 'running' })
    await pass(0)
    expect(store.runRecords.get(run.run_id)).toMatchObject({ state: 'ok', summary: expect.stringContaining('0 calls') })
    expect(tasks.get('p', id).next_run).toBeUndefined()
    expect(await refusal(() => scheduler.runNow('q', id))).toMatch(/^not_found: Task not found/)
  })
})

describe('a failure', () => {
  it('is in the history with its reason, is told, and the next time comes', async () => {
    let fails = true
    const { tasks, scheduler, store, ran, raised, trail } = await aScheduler(async () => {
      if (fails) throw new Problem('busy', 'Too much to do')
    })
    const { task_id: id } = await tasks.create('p', nightly('0 * * * *'), 'ada')
    await scheduler.start()
    await pass(HOUR)
    const [run] = await store.runs(id, { limit: 1 })
    expect(run).toMatchObject({ state: 'failed', error: 'Too much to do' })
    expect(raised).toEqual([
      {
        event: 'task.failed',
        project_id: 'p',
        data: {
          task_id: id,
          kind: 'retention',
          run_id: run?.run_id,
          failed_at: '2026-03-01T01:00:00.000Z',
          code: 'busy',
        },
      },
    ])
    expect(trail.events.at(-1)).toMatchObject({
      page: 'task retention',
      transport: 'task',
      outcome: 'refused',
      code: 'busy',
    })
    fails = false
    await pass(HOUR)
    expect(ran.map(({ outcome }) => outcome)).toEqual(['failed', 'ok'])
  })

  it('nobody foresaw is told by a reference only', async () => {
    const { tasks, scheduler, store } = await aScheduler(() => Promise.reject(new Error('SELECT secret')))
    const { task_id: id } = await tasks.create('p', nightly('0 * * * *'), 'ada')
    await scheduler.start()
    await pass(HOUR)
    expect((await store.runs(id, { limit: 1 }))[0]?.error).toMatch(/^Internal error \(reference [\w-]+\)$/)
  })

  it('to write when a task is due holds it up, and loses nothing', async () => {
    const { tasks, scheduler, store, ran } = await aScheduler(async () => undefined)
    await tasks.create('p', nightly('0 * * * *'), 'ada')
    await scheduler.start()
    store.failing = true
    await pass(HOUR + 10_000)
    expect(ran).toEqual([])
    store.failing = false
    await pass(60_000)
    expect(ran).toHaveLength(1)
  })
})

describe('a start', () => {
  it('catches up once with what was missed while nothing ran', async () => {
    const store = new MemoryTasks()
    const before = await aScheduler(async () => undefined, store)
    const { task_id: id } = await before.tasks.create('p', nightly('*/10 * * * *'), 'ada')
    vi.setSystemTime(Date.parse('2026-03-03T00:05:00Z'))
    const { scheduler, ran } = await aScheduler(async () => undefined, store)
    await scheduler.start()
    await pass(1)
    expect((await store.runs(id, { limit: 9 })).map(brief)).toEqual(['2026-03-03T00:05 missed ok'])
    await pass(5 * 60_000)
    expect(ran).toHaveLength(2)
  })

  it('repeats a run that the end of the process cut off, but not one that was cut off twice', async () => {
    const store = new MemoryTasks()
    const cutOff = async () => {
      const process = await aScheduler(() => new Promise(() => undefined), store)
      await process.scheduler.start()
      return process
    }
    const first = await cutOff()
    const { task_id: id } = await first.tasks.create('p', nightly(), 'ada')
    await first.scheduler.runNow('p', id)
    await pass(0)
    const second = await cutOff()
    await pass(1)
    expect((await store.runs(id, { limit: 9 })).map(brief)).toEqual([
      '2026-03-01T00:00 repeat running',
      '2026-03-01T00:00 manual interrupted',
    ])
    expect(second.scheduler.running).toBe(1)
    await cutOff()
    await pass(1)
    expect((await store.runs(id, { limit: 9 })).map(({ state }) => state)).toEqual(['interrupted', 'interrupted'])
  })
})

describe('a stop', () => {
  it('lets a run end that ends soon', async () => {
    const { open, opened } = gate()
    const { tasks, scheduler, ran } = await aScheduler(() => opened)
    const { task_id: id } = await tasks.create('p', nightly(), 'ada')
    await scheduler.start()
    await scheduler.runNow('p', id)
    const stopped = scheduler.stop()
    open()
    await stopped
    expect(ran.map(({ outcome }) => outcome)).toEqual(['ok'])
    expect(await refusal(() => scheduler.runNow('p', id))).toBe('store_unavailable: The service is stopping')
  })

  it('interrupts one that does not, within 10 s; it runs again at the next start', async () => {
    const store = new MemoryTasks()
    const { open, opened } = gate()
    // There is always more to do.
    const { tasks, scheduler } = await aScheduler(() => opened.then(() => ['s1']), store)
    const { task_id: id } = await tasks.create('p', nightly(), 'ada')
    await scheduler.start()
    await scheduler.runNow('p', id)
    let stopped = false
    void scheduler.stop().then(() => (stopped = true))
    await pass(4_500)
    open()
    await pass(5_000)
    expect(stopped).toBe(true)
    expect((await store.runs(id, { limit: 1 }))[0]).toMatchObject({
      state: 'interrupted',
      error: 'The service was stopped during this run',
    })
    const next = await aScheduler(async () => undefined, store)
    await next.scheduler.start()
    await pass(1)
    expect((await store.runs(id, { limit: 9 })).map(({ trigger, state }) => [trigger, state])).toEqual([
      ['repeat', 'ok'],
      ['manual', 'interrupted'],
    ])
  })
})
