import { expect, it, onTestFinished } from 'vitest'
import { countsOf, DerivedKeeper } from '../../src/service/derived-keeper.js'
import type { MakingOptions } from '../../src/store/store.js'
import { InProcessLeases } from '../../src/store/in-process-leases.js'
import { call, openStore, rows } from '../store/duckdb/support.js'

const project = {
  project_id: 'p',
  name: 'P',
  timezone: 'UTC',
  verticals: [],
  created_at: '2026-01-01T00:00:00.000Z',
}

type Parts = ConstructorParameters<typeof DerivedKeeper>[0]

/** Keeps the counts of days of a store until the test is over. @param parts those of it that the test is about, as stand-ins */
function keepCounts(
  parts: Readonly<Record<'store' | 'projects' | 'log', unknown>> & Partial<Omit<Parts, 'store' | 'projects' | 'log'>>,
): void {
  const derived = countsOf(parts.store as Parts['store'])
  const keeper = new DerivedKeeper({ derived, everyMs: 5, quietMs: 0, rests: 0, ...parts } as Parts)
  keeper.start()
  onTestFinished(() => keeper.close())
}

it('counts the days of calls that changed, and all of them anew where the zone of the project did', async () => {
  const store = await openStore()
  const projects = [project]
  const log = { warn: (...told: unknown[]) => expect.fail(String(told)), debug: () => undefined }
  keepCounts({ store, projects: { list: () => projects }, log })
  const days = async () => {
    const counted = await rows(store, `select time_zone, strftime(day, '%d') from counted_days order by day`)
    const agents = (await rows(store, `select strftime(day, '%d') from agent_days`)).flat()
    return (counted as string[][]).map(([zone, day]) => [zone, day, agents.filter(one => one === day).length])
  }
  await store.calls.upsert('p', [call('s1', { created_dt: '2026-03-01T23:30:00Z' })])
  await expect.poll(days).toEqual([['UTC', '01', 1]])
  await store.calls.upsert('p', [call('s2', { created_dt: '2026-03-02T10:00:00Z', agent_name: 'Ben' })])
  await expect.poll(days).toEqual([
    ['UTC', '01', 1],
    ['UTC', '02', 1],
  ])
  projects[0] = { ...project, timezone: 'Europe/Berlin' }
  await expect.poll(days).toEqual([['Europe/Berlin', '02', 2]])
})

it('tries again what failed, without another call', async () => {
  const attempts: string[] = []
  const store = {
    notReady: () => undefined,
    leases: new InProcessLeases(),
    counts: {
      changes: () => 1,
      countDays: (id: string) => {
        attempts.push(id)
        return attempts.length === 1 ? Promise.reject(new Error('the disk is full')) : Promise.resolve(2)
      },
    },
  }
  const told: unknown[] = []
  const log = { warn: (of: object) => told.push(of), debug: () => undefined }
  keepCounts({ store, projects: { list: () => [project] }, log, retryMs: 0 })
  await expect.poll(() => attempts.length).toBe(2)
  expect(told).toMatchObject([{ project: 'p' }])
})

it('says how far it is while it takes long, and nothing where it does not', async () => {
  const store = (changes: number) => ({
    notReady: () => undefined,
    leases: new InProcessLeases(),
    counts: {
      changes: () => changes,
      countDays: (_id: string, _zone: string, { progress }: MakingOptions) => {
        progress?.({ made: 7, left: 3 })
        progress?.({ made: 10, left: 0 })
        return Promise.resolve(10)
      },
    },
  })
  for (const [sayMs, lines] of [
    [
      0,
      [
        { project: 'p', made: 7, left: 3 },
        { project: 'p', made: 10, left: 0 },
      ],
    ],
    [60_000, []],
  ] as const) {
    const told: unknown[] = []
    const ended: unknown[] = []
    const log = {
      warn: (...said: unknown[]) => expect.fail(String(said)),
      info: (of: object) => told.push(of),
      debug: (of: object) => ended.push(of),
    }
    keepCounts({ store: store(sayMs), projects: { list: () => [project] }, log, sayMs })
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await expect.poll(() => ended).toEqual([{ project: 'p', made: 10 }])
    expect(told).toEqual(lines)
  }
})

it('leaves a project to another process that counts it, and looks again for what that one left', async () => {
  const leases = new InProcessLeases()
  let counted = 0
  const counts = { changes: () => 1, countDays: async () => (counted += 1) }
  const store = { notReady: () => undefined, leases, counts }
  const theirs = await leases.take('counts:p')
  const log = { warn: () => undefined, debug: () => undefined }
  const looked: string[] = []
  const projects = {
    list: () => {
      looked.push('')
      return [project]
    },
  }
  keepCounts({ store, projects, log, everyMs: 1, elsewhereMs: 0, anewMs: 0 })
  await expect.poll(() => looked.length).toBeGreaterThan(3)
  expect(counted).toBe(0)
  await theirs?.release()
  // Nothing changed here since, and yet it is looked for days that are not counted.
  await expect.poll(() => counted).toBeGreaterThan(2)
})
