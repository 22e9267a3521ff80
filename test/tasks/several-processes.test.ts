import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { TaskServices } from '../../src/tasks/task-services.js'
import { fakeServer, type FakeServer } from '../support/mongodb/fake-server.js'
import { refusal } from '../support/access.js'
import { connectStore } from '../../src/store/mongodb/connect.js'
import { MongoStore } from '../../src/store/mongodb/mongodb-store.js'
import { aScheduler, nightly } from './support.js'

/** Schedulers of two processes over one store. */

let server: FakeServer
/** How far the clocks of the server and of the processes are ahead, in milliseconds. */
let ahead: number
beforeEach(async context => {
  ahead = 0
  server = await fakeServer()
  // After the processes, which give their leases back: a server that is gone they would look for.
  context.onTestFinished(() => server.close())
})

/** Longer than a process that died has a lease; milliseconds. */
const LEASE_OVER_MS = 46_000

/** Time passes for the server and for all processes at once. */
function pass(ms: number): void {
  ahead += ms
  server.hello = {
    get localTime() {
      return new Date(Date.now() + ahead)
    },
  }
}

interface Process extends Omit<Awaited<ReturnType<typeof aScheduler>>, 'store'> {
  readonly opened: MongoStore
}

async function process(work: () => Promise<void>, services?: Partial<TaskServices>): Promise<Process> {
  const opened = await MongoStore.open(await connectStore(server.url), { clock: () => performance.now() + ahead })
  const clock = () => Date.now() + ahead
  const made = await aScheduler(work, undefined, {
    sharing: opened,
    clock,
    lookEveryMs: 20,
    ...(services && { services }),
  })
  onTestFinished(async () => {
    await made.scheduler.stop()
    await opened.close()
  })
  return { ...made, opened }
}

const MINUTE = 60_000
const runsOf = async ({ tasks }: Pick<Process, 'tasks'>, id: string) =>
  (await tasks.runs('p', id, { limit: 9 })).map(({ trigger, state }) => `${trigger} ${state}`)

describe('a task of several processes', () => {
  it('that is due is run by one of them, once', async () => {
    const ended: string[] = []
    const made = await Promise.all(['a', 'b', 'c'].map(name => process(async () => void ended.push(name))))
    const { task_id: id } = await made[0]!.tasks.create('p', nightly('0 3 * * *'), 'ada')
    await Promise.all(made.map(({ tasks }) => tasks.followed.reload()))
    await Promise.all(made.map(({ scheduler }) => scheduler.start()))
    expect(ended).toEqual([])
    pass(Date.parse(made[0]!.tasks.get('p', id).next_run ?? '') - Date.now())
    await expect.poll(() => runsOf(made[0]!, id)).toEqual(['schedule ok'])
    // Whoever has heard nothing of it yet still takes it for due, and finds that it is not.
    await Promise.all(made.map(({ tasks }) => tasks.followed.reload()))
    await Promise.all(made.map(({ scheduler }) => scheduler.stop()))
    expect(await runsOf(made[1]!, id)).toEqual(['schedule ok'])
    expect(ended).toHaveLength(1)
  })

  it('is begun again by another when the one that ran it died, whose end is written no more', async () => {
    let die = () => undefined as void
    const dead = new Promise<void>(resolve => (die = resolve))
    const [a, b] = [await process(() => dead), await process(async () => undefined)]
    const { task_id: id } = await a.tasks.create('p', nightly('0 3 * * *'), 'ada')
    await a.scheduler.start()
    await a.scheduler.runNow('p', id)
    await b.tasks.followed.reload()
    await b.scheduler.start()
    // A start of one process takes no run of another for cut off.
    expect(await runsOf(b, id)).toEqual(['manual running'])
    expect(await refusal(() => b.scheduler.runNow('p', id))).toBe('conflict: The task is running already')
    pass(LEASE_OVER_MS)
    await expect.poll(() => runsOf(b, id)).toEqual(['repeat ok', 'manual interrupted'])
    die()
    await expect.poll(() => a.scheduler.running).toBe(0)
    expect(await runsOf(b, id)).toEqual(['repeat ok', 'manual interrupted'])
    expect(b.tasks.get('p', id)).toMatchObject({ last_state: 'ok' })
  })

  it('that one still takes for due when another has run it is on record as begun when it was due again', async () => {
    const [a, b] = [await process(async () => undefined), await process(async () => undefined)]
    const { task_id: id } = await a.tasks.create('p', nightly('*/10 * * * * *'), 'ada')
    await b.tasks.followed.reload()
    const due = Date.parse(a.tasks.get('p', id).next_run ?? '')
    await a.scheduler.start()
    pass(due - Date.now())
    await expect.poll(() => runsOf(a, id)).toEqual(['schedule ok'])
    await a.scheduler.stop()
    // It waits for the lease until the task is due once more.
    let go = () => undefined as void
    const waiting = new Promise<void>(resolve => (go = resolve))
    let isAsked = false
    server.fault = (name, body) => {
      if (name !== 'findAndModify' || !JSON.stringify(body).includes(id)) return undefined
      isAsked = true
      return waiting
    }
    await b.scheduler.start()
    await expect.poll(() => isAsked).toBe(true)
    pass(10_000)
    server.fault = undefined
    go()
    await expect.poll(() => b.scheduler.running).toBe(0)
    pass(MINUTE)
    await expect.poll(() => runsOf(b, id)).toHaveLength(2)
    const begun = (await b.tasks.runs('p', id, { limit: 9 })).map(({ started_at: at }) => Date.parse(at) - due)
    expect(begun[0]).toBeGreaterThanOrEqual(10_000)
    expect(begun[1]).toBeLessThan(10_000)
  })

  it('that is made, changed or paused in one is so in the others', async () => {
    const [a, b] = [await process(async () => undefined), await process(async () => undefined)]
    const { task_id: id } = await a.tasks.create('p', nightly('0 3 * * *'), 'ada')
    await b.tasks.followed.follow(await b.opened.versions.read())
    await b.tasks.patch('p', id, { enabled: false })
    await a.scheduler.start()
    pass(48 * 60 * MINUTE)
    await a.tasks.followed.follow(await a.opened.versions.read())
    expect(a.tasks.get('p', id).enabled).toBe(false)
    await a.tasks.patch('p', id, { schedule: { cron: '* * * * *', time_zone: 'UTC' }, enabled: true })
    pass(2 * MINUTE)
    await expect.poll(() => runsOf(b, id)).toEqual([expect.stringMatching(/^(schedule|missed) ok$/)])
  })

  it('that needs a folder is run where the folder is, and fails with a sentence where none has it', async () => {
    const importDir = mkdtempSync(join(tmpdir(), 'earshot-folder-'))
    onTestFinished(() => rmSync(importDir, { recursive: true }))
    mkdirSync(join(importDir, 'p', 'in'), { recursive: true })
    const [a, b] = [await process(async () => undefined), await process(async () => undefined, { importDir })]
    const folder = { ...nightly('0 3 * * *'), kind: 'import_folder', parameters: { folder: 'in' } }
    const { task_id: id } = await b.tasks.create('p', folder, 'ada')
    await a.tasks.followed.reload()
    await a.scheduler.start()
    pass(Date.parse(b.tasks.get('p', id).next_run ?? '') - Date.now())
    await b.scheduler.start()
    await expect.poll(() => runsOf(b, id)).toEqual([expect.stringMatching(/ ok$/)])
    expect([a.ran.length, b.ran.length]).toEqual([0, 1])
    await b.scheduler.stop()
    await a.tasks.followed.reload()
    pass(24 * 60 * MINUTE + 3 * MINUTE)
    await expect.poll(() => runsOf(a, id)).toEqual([expect.stringMatching(/ failed$/), expect.any(String)])
  })
})
