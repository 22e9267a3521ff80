import { once } from 'node:events'
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { connectStore } from '../../../src/store/mongodb/connect.js'
import { Double } from '../../../src/pipeline/index.js'
import { MongoStore } from '../../../src/store/mongodb/mongodb-store.js'
import type { NewDelivery } from '../../../src/store/event-store.js'
import type { ModelBatchRecord } from '../../../src/store/records/model-batch.js'
import {
  type FakeServer,
  type Fault,
  fakeServer,
  noteStep,
  unfinishedWrites,
} from '../../support/mongodb/fake-server.js'
import { run, task } from '../contract/tasks.js'
import { call } from '../duckdb/support.js'

/** What processes that share a store do beside each other. Time passes by hand: on the server, and in each process. */

let server: FakeServer
beforeAll(async () => {
  server = await fakeServer()
  return () => server.close()
})

// No further from ours than a server's may be.
let serverTime = Date.now()
function passOnServer(ms: number): void {
  serverTime += ms
  server.hello = { localTime: new Date(serverTime) }
}

let project: string
let projects = 0
beforeEach(() => {
  server.fault = undefined
  serverTime = Date.now()
  passOnServer(0)
  projects += 1
  project = `p${projects}`
})

/** A process whose own time is what `now` says. */
async function process(): Promise<{ readonly store: MongoStore; now: number }> {
  const time = { now: 0 }
  const store = await MongoStore.open(await connectStore(server.url), { clock: () => time.now })
  onTestFinished(() => store.close())
  return Object.assign(time, { store })
}

const kept = (collection: string) =>
  server
    .documents(collection)
    .filter(one => one['project_id'] === project)
    .map(one => one['session_id'] as string)
    .toSorted((a, b) => (a < b ? -1 : 1))

const WRITES = new Set(['insert', 'update', 'delete', 'findAndModify'])

/** Something happens as soon as a command for a collection comes (any that writes, if none is named), or a step of the note of a write. */
function at(command: string, collection: string, happens: () => Fault | undefined): void {
  server.fault = (name, body) => {
    const isOfCollection = body[name] === collection && (command === 'write' ? WRITES.has(name) : name === command)
    const isMeant = command === 'note' ? noteStep(name, body) === collection : isOfCollection
    if (!isMeant) return undefined
    server.fault = undefined
    return happens()
  }
}

/** No retry of the driver's helps. */
const REFUSED: Fault = { code: 13, message: 'not authorized' }

it('a lane whose fence could not be raised is another’s at once', async () => {
  const [a, b] = [await process(), await process()]
  at('findAndModify', 'write_lanes', () => REFUSED)
  await expect(a.store.calls.upsert(project, [call('s1')])).rejects.toThrow('name and password')
  await b.store.calls.upsert(project, [call('s2')])
  expect(kept('calls')).toEqual(['s2'])
})

it('a lane of which could not be asked whether others want it is theirs all the same', async () => {
  const [a, b] = [await process(), await process()]
  // One write after the other keeps the lane until it is asked whether others want it.
  at('find', 'lease_waits', () => REFUSED)
  let failed: unknown
  for (let n = 0; failed === undefined; n += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    failed = await a.store.calls.upsert(project, [call(`s${n}`)]).then(
      () => undefined,
      (error: unknown) => error,
    )
  }
  expect(failed).toMatchObject({ message: expect.stringContaining('name and password') as string })
  await b.store.calls.upsert(project, [call('of b')])
  expect(kept('calls')).toContain('of b')
})

it('two that write calls of a project at once lose nothing, and the last of an id wins', async () => {
  const [a, b] = [await process(), await process()]
  const ids = Array.from({ length: 12 }, (_, n) => `s${String(n).padStart(2, '0')}`)
  const done = ids.map((id, n) =>
    (n % 2 === 0 ? a : b).store.calls.upsert(project, [call(id), call('both', { agent_name: `agent of ${id}` })]),
  )
  expect((await Promise.all(done)).reduce((sum, one) => sum + one.stored, 0)).toBe(24)
  expect(kept('calls')).toEqual(['both', ...ids])
  expect(kept('facts')).toEqual(['both', ...ids])
  const last = (name: string) =>
    server
      .documents(name)
      .find(
        one =>
          one['_id'] ===
          server.documents('calls').find(two => two['project_id'] === project && two['session_id'] === 'both')?.['_id'],
      )
  expect(last('facts')?.['agent_name']).toBe(last('calls')?.['agent_name'])
  const writes = server.documents('calls').filter(one => one['project_id'] === project)
  const newest = Math.max(...writes.map(one => Number(one['write_number'])))
  expect(Number(last('calls')?.['write_number'])).toBe(newest)
  expect(unfinishedWrites(server)).toEqual([])
})

it('both get their turn while both have more to do', async () => {
  const [a, b] = [await process(), await process()]
  const order: string[] = []
  const writing = async (who: string, { store }: { store: MongoStore }) => {
    for (let n = 0; n < 4; n += 1) {
      await store.calls.upsert(project, [call(`${who}${n}`)])
      order.push(who)
    }
  }
  await Promise.all([writing('a', a), writing('b', b)])
  expect(kept('facts')).toHaveLength(8)
})

it('one that stalls beyond its lease in the middle of a write writes nothing afterwards; the next finishes or drops it', async () => {
  const [stalled, next] = [await process(), await process()]
  await stalled.store.calls.upsert(project, [call('before')])
  // It is noted that the write is under way; then nothing happens for twenty seconds.
  at('update', 'calls', () => {
    stalled.now += 20_000
    return undefined
  })
  await expect(stalled.store.calls.upsert(project, [call('late')])).rejects.toThrow('could not be renewed')
  expect(kept('calls')).toEqual(['before', 'late'])
  expect(kept('facts')).toEqual(['before'])
  passOnServer(45_000)
  await next.store.calls.upsert(project, [call('after')])
  expect(kept('facts')).toEqual(['after', 'before', 'late'])
  expect(unfinishedWrites(server)).toEqual([])
})

it('what another process took over meanwhile is not written to, although the stalled one thinks nothing of it', async () => {
  const [stalled, next] = [await process(), await process()]
  const sent: string[] = []
  at('note', 'begun', () => {
    stalled.now += 25_000
    passOnServer(46_000)
    return undefined
  })
  const late = stalled.store.calls.upsert(project, [call('s', { title: 'late' })])
  await expect(late).rejects.toThrow('Nothing is written to the store')
  await next.store.calls.upsert(project, [call('s', { title: 'next' })])
  server.fault = (name, body) => void sent.push(`${name} ${String(body[name])}`)
  await stalled.store.calls.upsert(project, [call('other')])
  expect(kept('calls')).toEqual(['other', 's'])
  const one = server.documents('calls').find(two => two['project_id'] === project && two['session_id'] === 's')
  expect(one?.['title']).toBe('next')
  // It took the lane anew, under a higher fence.
  expect(sent).toContain('findAndModify leases')
})

/** A command comes, and is done only when it is let go: as of a process that was frozen between asking whether it may write and writing. */
function frozenAt(command: string, collection: string) {
  let thaw = () => undefined as void
  let came = () => undefined as void
  const frozen = new Promise<void>(resolve => (came = resolve))
  at(command, collection, () => {
    came()
    return new Promise<void>(resolve => (thaw = resolve))
  })
  return { frozen, thaw: () => thaw() }
}

function scoreIn(collection: string, id: string): number | undefined {
  const found = server.documents(collection).find(one => one['project_id'] === project && one['session_id'] === id)
  const score = found?.['score']
  return score instanceof Double ? score.value : undefined
}

it.each([
  ['note', 'begun'],
  ['update', 'calls'],
  ['update', 'facts'],
  ['note', 'ended'],
])('a stale fence writes nothing: frozen before %s of %s, in a process that notices nothing', async (command, of) => {
  const [stalled, next] = [await process(), await process()]
  await stalled.store.calls.upsert(project, [call('s', { score: 1 }), call('erased', { score: 1 })])
  const { frozen, thaw } = frozenAt(command, of)
  const ids = ['s', 'erased', 'erased-new', 'alone']
  const late = stalled.store.calls.upsert(
    project,
    ids.map(id => call(id, { score: 2 })),
  )
  await frozen
  passOnServer(45_000)
  await next.store.calls.upsert(project, [call('s', { score: 3 })])
  await next.store.calls.eraseAll(project, ['erased', 'erased-new'])
  const [before, alone] = [kept('calls'), scoreIn('calls', 'alone')]
  thaw()
  await expect(late).rejects.toMatchObject({ code: 'store_unavailable' })
  expect(kept('calls')).toEqual(before)
  expect(kept('facts')).toEqual(before)
  expect([scoreIn('calls', 's'), scoreIn('facts', 's')]).toEqual([3, 3])
  expect([scoreIn('calls', 'alone'), scoreIn('facts', 'alone')]).toEqual([alone, alone])
  expect(before.filter(id => id.startsWith('erased'))).toEqual([])
  expect(unfinishedWrites(server)).toEqual([])
  // And it goes on, under a fence of its own.
  passOnServer(45_000)
  await stalled.store.calls.upsert(project, [call('s', { score: 4 })])
  expect([scoreIn('calls', 's'), scoreIn('facts', 's')]).toEqual([4, 4])
})

it.each([
  ['note', 'begun'],
  ['delete', 'facts'],
  ['delete', 'calls'],
])('an erasure under a stale fence erases nothing that came since: frozen before %s of %s', async (command, of) => {
  const [stalled, next] = [await process(), await process()]
  await stalled.store.calls.upsert(project, [call('s', { score: 1 })])
  const { frozen, thaw } = frozenAt(command, of)
  const late = stalled.store.calls.erase(project, 's')
  await frozen
  passOnServer(45_000)
  await next.store.calls.upsert(project, [call('s', { score: 3 })], { restoreErased: true })
  thaw()
  await expect(late).rejects.toMatchObject({ code: 'store_unavailable' })
  expect([scoreIn('calls', 's'), scoreIn('facts', 's')]).toEqual([3, 3])
})

it.each([
  ['note', 'begun'],
  ['update', 'calls'],
  ['update', 'facts'],
  ['delete', 'erased_calls'],
  ['note', 'ended'],
])('an erased call that is to come back is there, or stays erased: cut off before %s of %s', async (command, of) => {
  const [cut, next] = [await process(), await process()]
  await cut.store.calls.upsert(project, [call('s1')])
  await cut.store.calls.erase(project, 's1')
  at(command, of, () => REFUSED)
  await expect(cut.store.calls.upsert(project, [call('s1')], { restoreErased: true })).rejects.toThrow(
    'name and password',
  )
  await next.store.calls.upsert(project, [call('other')])
  const isBack = kept('calls').includes('s1')
  expect(isBack).toBe(!(of === 'begun' || of === 'calls'))
  expect((await next.store.calls.upsert(project, [call('s1')])).erased).toEqual(isBack ? [] : ['s1'])
})

it('what stands in for a call that must not come does so for its whole time from when it was last about to', async () => {
  const [cut, next] = [await process(), await process()]
  const { db, client } = await connectStore(server.url)
  onTestFinished(() => client.close())
  const vacantUntil = (collection: string) =>
    server.documents(collection).find(one => one['_id'] === `${project}:s1`)?.['vacant_until'] as Date
  const cutOff = async () => {
    at('update', 'calls', () => REFUSED)
    await expect(cut.store.calls.upsert(project, [call('s1')])).rejects.toThrow('name and password')
    await next.store.calls.upsert(project, [call('other')])
  }
  await cutOff()
  const soon = new Date(Date.now() + 60_000)
  for (const name of ['calls', 'facts']) {
    const standIns = db.collection<{ readonly _id: string; readonly vacant_until?: Date }>(name)
    await standIns.updateOne({ _id: `${project}:s1` }, { $set: { vacant_until: soon } })
  }
  expect(vacantUntil('calls')).toEqual(soon)
  await cutOff()
  for (const name of ['calls', 'facts']) expect(vacantUntil(name).getTime()).toBeGreaterThan(soon.getTime())
})

const teamNamed = (name: string, created_by = 'ada') => ({
  project_id: project,
  team_id: 't',
  name,
  agents: [],
  created_at: '2026-03-01T00:00:00.000Z',
  created_by,
})

it.each([
  ['changed', ({ knowledge }: MongoStore) => knowledge.put(documentNamed('next'))],
  ['removed', ({ knowledge }: MongoStore) => knowledge.remove(project, 'kb')],
])('a document that another %s meanwhile stays so, in the turn of its project', async (_, changes) => {
  const [stalled, next] = [await process(), await process()]
  const inTurn = (who: { readonly store: MongoStore }, work: () => Promise<unknown>) =>
    who.store.turns.run(`knowledge ${project}`, work)
  await inTurn(stalled, () => stalled.store.knowledge.put(documentNamed('first')))
  const came = await late('knowledge', {
    stalls: () => inTurn(stalled, () => stalled.store.knowledge.put(documentNamed('late'))),
    meanwhile: () => inTurn(next, () => changes(next.store)),
  })
  expect(came).toMatchObject(REFUSAL)
  expect((await next.store.knowledge.all(project)).map(one => one.title)).not.toContain('late')
})

const documentNamed = (title: string) => ({
  project_id: project,
  kb_id: 'kb',
  name: 'kb.md',
  title,
  imported_at: '2026-03-01T00:00:00.000Z',
  sections: [{ title: 't', text: 'x' }],
})

it.each([
  ['changed', ({ teams }: MongoStore) => teams.put(teamNamed('next'))],
  ['removed', ({ teams }: MongoStore) => teams.remove(project, 't')],
])(
  'a record that another %s meanwhile stays so, whatever a process in a turn that was lost still writes',
  async (_, changes) => {
    const [stalled, next] = [await process(), await process()]
    await stalled.store.turns.run('teams', () => stalled.store.teams.put(teamNamed('first')))
    const { frozen, thaw } = frozenAt('findAndModify', 'teams')
    const late = stalled.store.turns.run('teams', () => stalled.store.teams.put(teamNamed('late')))
    await frozen
    passOnServer(45_000)
    await next.store.turns.run('teams', () => changes(next.store))
    const read = async () => (await next.store.teams.all()).filter(one => one.project_id === project)
    const before = await read()
    thaw()
    await expect(late).rejects.toThrow('another process has taken this over')
    expect(await read()).toEqual(before)
    // What was removed may be put there again.
    await next.store.turns.run('teams', () => next.store.teams.put(teamNamed('again')))
    expect(await read()).toEqual([teamNamed('again')])
  },
)

it('what a process that was killed had begun to erase is erased by whoever writes next, and stays so', async () => {
  const [killed, next] = [await process(), await process()]
  await killed.store.calls.upsert(project, [call('s1'), call('s2')])
  server.fault = name => (name === 'delete' ? 'drop' : undefined)
  await expect(killed.store.calls.erase(project, 's1')).rejects.toMatchObject({ code: 'store_unavailable' })
  expect(kept('calls')).toEqual(['s1', 's2'])
  server.fault = undefined
  passOnServer(45_000)
  const { erased } = await next.store.calls.upsert(project, [call('s1'), call('s3')])
  expect(erased).toEqual(['s1'])
  expect(kept('calls')).toEqual(['s2', 's3'])
  expect(kept('facts')).toEqual(['s2', 's3'])
})

it('what was cut off is finished although nobody writes there: by a process that starts, once the other’s time is over', async () => {
  const killed = await process()
  server.fault = (name, body) => (name === 'update' && body['update'] === 'facts' ? 'drop' : undefined)
  await expect(killed.store.calls.upsert(project, [call('s1')])).rejects.toMatchObject({ code: 'store_unavailable' })
  server.fault = undefined
  expect(kept('facts')).toEqual([])
  passOnServer(45_000)
  await process()
  expect(kept('facts')).toEqual(['s1'])
})

it('calls that were noted go to one of those who take them', async () => {
  const [a, b] = [await process(), await process()]
  await a.store.events.webhooks.put({
    project_id: project,
    webhook_id: 'w',
    url: 'https://hooks.example.com/',
    events: ['call.evaluated'],
    active: true,
    secrets: [],
    created_at: '2026-03-01T00:00:00.000Z',
    created_by: 'ada',
  })
  await a.store.calls.upsert(project, [call('s1', { score: 3 }), call('s2', { score: 4 })])
  const told: string[] = []
  const take = ({ store }: { store: MongoStore }) =>
    store.events.noted.take(1, calls => {
      told.push(...calls.map(one => one.session_id))
      return { deliveries: calls.map(one => deliveryOf(project, one.session_id)), alerts: [] }
    })
  const taken = await Promise.all([take(a), take(b), take(a), take(b)])
  expect(taken.reduce((sum, n) => sum + n, 0)).toBe(2)
  expect(told.toSorted()).toEqual(['s1', 's2'])
  expect(await b.store.events.deliveries.pending('w', 0, 10)).toHaveLength(2)
})

function deliveryOf(project_id: string, session_id: string): NewDelivery {
  const at = '2026-03-01T00:00:00.000Z'
  const ids = { delivery_id: `d-${session_id}`, webhook_id: 'w', event_id: `e-${session_id}` }
  return {
    ...ids,
    project_id,
    event: 'call.evaluated',
    subject: session_id,
    body: '{}',
    created_at: at,
    expires_at: at,
  }
}

it('a process hears that calls of a project were changed by another', async () => {
  const [a, b] = [await process(), await process()]
  const before = b.store.counts.changes(project)
  await a.store.calls.upsert(project, [call('s1')])
  await expect.poll(() => b.store.counts.changes(project), { timeout: 5_000 }).toBeGreaterThan(before)
  const then = b.store.counts.changes(project)
  await a.store.calls.erase(project, 's1')
  await expect.poll(() => b.store.counts.changes(project), { timeout: 5_000 }).toBeGreaterThan(then)
})

it('a process hears of a change that took long, whatever came in other projects meanwhile', async () => {
  const [a, b] = [await process(), await process()]
  const { frozen, thaw } = frozenAt('update', 'calls')
  const slow = a.store.calls.upsert(project, [call('s1')])
  await frozen
  const { db, client } = await connectStore(server.url)
  onTestFinished(() => client.close())
  // As many writes as there may be in the time that one takes.
  await db
    .collection<{ readonly _id: string; readonly writes: number }>('counters')
    .updateOne({ _id: 'writes' }, { $inc: { writes: 2_000 } })
  await b.store.calls.upsert(`${project}-beside`, [call('s2')])
  const told = await process()
  await expect.poll(() => told.store.counts.changes(`${project}-beside`)).toBeGreaterThan(0)
  const before = told.store.counts.changes(project)
  thaw()
  await slow
  await expect.poll(() => told.store.counts.changes(project)).toBeGreaterThan(before)
})

it('what is begun in a turn and goes on behind it is not refused when the turn was given back', async () => {
  const [a] = [await process()]
  const over = new EventTarget()
  const behind = once(over, 'over')
  const late = await a.store.turns.run(project, async () => ({
    done: behind.then(() => a.store.teams.remove(project, 't')),
  }))
  over.dispatchEvent(new Event('over'))
  await expect(late.done).resolves.toBeUndefined()
})

it('a record is not written in a turn that was lost', async () => {
  const [a] = [await process()]
  const lost = a.store.turns.run(project, async () => {
    a.now += 20_000
    await a.store.teams.remove(project, 't')
  })
  await expect(lost).rejects.toThrow('Nothing is written to the store')
})

it('a run of a task is not written under a stale fence, by a process that notices nothing', async () => {
  const [stalled, next] = [await process(), await process()]
  const nightly = task('t', { project_id: project })
  const first = await stalled.store.leases.take('task:t')
  await stalled.store.tasks.insert(nightly)
  await stalled.store.tasks.putRun(run('t', 1), nightly, { keep: 9, fence: first!.fence })
  passOnServer(45_000)
  const second = await next.store.leases.take('task:t')
  const interrupted = {
    ...run('t', 1),
    state: 'interrupted' as const,
    ended_at: '2026-03-02T03:00:46.000Z',
    error: 'gone',
  }
  await next.store.tasks.putRun(interrupted, nightly, { keep: 9, fence: second!.fence })
  await next.store.tasks.putRun(run('t', 2), nightly, { keep: 9, fence: second!.fence })
  const late = { ...run('t', 1), state: 'ok' as const, ended_at: '2026-03-02T03:00:47.000Z', summary: 'done' }
  await expect(
    stalled.store.tasks.putRun(late, { ...nightly, name: 'Late' }, { keep: 9, fence: first!.fence }),
  ).rejects.toMatchObject({ code: 'store_unavailable' })
  expect(await next.store.tasks.runs('t', { limit: 9 })).toEqual([run('t', 2), interrupted])
  expect(await next.store.tasks.all()).toEqual([nightly])
  // What an administrator changes is under no lease.
  await stalled.store.tasks.update({ ...nightly, name: 'Renamed' })
  expect(await next.store.tasks.all()).toMatchObject([{ name: 'Renamed' }])
  await next.store.tasks.remove('t')
  await next.store.tasks.putRun(run('t', 3), nightly, { keep: 9, fence: second!.fence })
  expect(await next.store.tasks.runs('t', { limit: 9 })).toEqual([])
})

/** A process is frozen as it writes to a collection; beyond its lease another does something, and then it goes on, noticing nothing. */
async function late<T>(
  collection: string,
  { stalls, meanwhile }: { readonly stalls: () => Promise<T>; readonly meanwhile: () => Promise<unknown> },
  command = 'write',
): Promise<{ readonly written: T } | { readonly refused: unknown }> {
  // Nobody has the lane of what was before.
  const lane = () => server.documents('leases').find(one => one['_id'] === `lane:${project}`)
  await expect.poll(() => Number(lane()?.['until'] ?? 0)).toBe(0)
  const { frozen, thaw } = frozenAt(command, collection)
  const stalled = stalls().then(
    written => ({ written }),
    (refused: unknown) => ({ refused }),
  )
  await Promise.race([frozen, stalled])
  passOnServer(45_000)
  await meanwhile()
  thaw()
  return await stalled
}

const REFUSAL = { refused: { code: 'store_unavailable' } }
const ofProject = (collection: string) =>
  server
    .documents(collection)
    .filter(one => JSON.stringify(one['_id']).includes(project) || one['project_id'] === project)

describe('deliveries of a process that stalled', () => {
  const deliveries = ({ store }: { readonly store: MongoStore }) => store.events.deliveries
  const hook = () => `w-${project}`
  const delivery = (id: string) => ({ ...deliveryOf(project, id), webhook_id: hook() })
  const pending = async (of: { readonly store: MongoStore }) =>
    (await deliveries(of).pending(hook(), 0, 10)).map(one => one.delivery_id)
  const attempt = (seq: number, state: 'pending' | 'delivered' | 'dead', fence: number, attempts = 1) => ({
    seq,
    state,
    fence,
    attempts,
    next_at: '2026-03-01T00:01:00.000Z',
    attempted_at: `2026-03-01T00:00:0${attempts}.000Z`,
    duration_ms: 1,
    ...(state === 'delivered' ? { status: 200 } : { failure: 'timeout' }),
  })

  it('which another dropped keep none back that are told', async () => {
    const [stalled, next] = [await process(), await process()]
    const came = await late('event_deliveries', {
      stalls: () => deliveries(stalled).add([delivery('a'), delivery('b')]),
      meanwhile: () => deliveries(next).add([delivery('c')]),
    })
    expect(came).toMatchObject(REFUSAL)
    await deliveries(next).add([delivery('d'), delivery('e')])
    expect(await pending(next)).toEqual(['d-c', 'd-d', 'd-e'])
    expect(server.documents('event_deliveries').filter(one => one['state'] === 'staged')).toEqual([])
  })

  it('are settled by whoever has the webhook', async () => {
    const [stalled, next] = [await process(), await process()]
    await deliveries(stalled).add([delivery('a')])
    const [{ seq } = { seq: 0 }] = await deliveries(stalled).pending(hook(), 0, 1)
    const first = (await stalled.store.leases.take(`webhook:${hook()}`))!.fence
    expect(await deliveries(stalled).begin(seq, first)).toBe(true)
    passOnServer(45_000)
    const second = (await next.store.leases.take(`webhook:${hook()}`))!.fence
    expect(await deliveries(next).begin(seq, second)).toBe(true)
    const list = () => deliveries(next).list(project, hook(), { limit: 9 })
    const before = await list()
    // Given up by the one that stalled while the other is telling it.
    await deliveries(stalled).settle([attempt(seq, 'dead', first)])
    expect(await list()).toEqual(before)
    expect(await deliveries(stalled).begin(seq, first)).toBe(false)
    await deliveries(next).settle([attempt(seq, 'pending', second, 3)])
    await deliveries(stalled).settle([attempt(seq, 'pending', first)])
    expect(await list()).toMatchObject([{ state: 'pending', attempts: 3 }])
    await deliveries(next).settle([attempt(seq, 'delivered', second, 4)])
    expect(await list()).toMatchObject([{ state: 'delivered', attempts: 4 }])
  })

  it('are put back to the end of the queue by one alone', async () => {
    const [stalled, next] = [await process(), await process()]
    await deliveries(stalled).add([delivery('a')])
    const settle = async (state: 'delivered' | 'dead') => {
      const [{ seq } = { seq: 0 }] = await deliveries(next).pending(hook(), 0, 1)
      await deliveries(next).settle([attempt(seq, state, 1)])
    }
    await settle('dead')
    const again = { projectId: project, webhookId: hook(), now: '2026-03-01T00:00:00.000Z', expiresAt: '2026-03-02' }
    const came = await late('event_deliveries', {
      stalls: () => deliveries(stalled).requeue(again),
      meanwhile: async () => {
        expect(await deliveries(next).requeue(again)).toBe(1)
        await settle('delivered')
      },
    })
    expect(came).toMatchObject(REFUSAL)
    expect(await pending(next)).toEqual([])
  })
})

describe('what a process that stalled writes about a call', () => {
  const transcript = [{ turn: 0, actor: 'agent', text: 'Hello' }]
  const said = (text: string, feedback_id = 'fb') => ({
    feedback_id,
    session_id: 's',
    about: 'call' as const,
    rating: 4,
    text,
    created_at: '2026-03-01T00:00:00.000Z',
    created_by: 'ada',
  })
  const add = ({ store }: { readonly store: MongoStore }, text: string, id?: string) =>
    store.events.feedback.add({ ...said(text, id), project_id: project }, [])
  const texts = async ({ store }: { readonly store: MongoStore }) =>
    (await store.events.feedback.of(project, 's')).map(one => one.text)
  const question = (request = 'r') => ({ project_id: project, session_id: 's', request })
  const answer = ({ store }: { readonly store: MongoStore }) => store.modelAnswers.get(question())
  const name = ({ store }: { readonly store: MongoStore }) => store.reports.note(project, 'one.csv', ['s'])
  const hold = {
    project_id: project,
    hold_id: 'h',
    name: 'n',
    session_ids: ['s'],
    created_at: '2026',
    created_by: 'ada',
  }

  async function two() {
    const [stalled, next] = [await process(), await process()]
    await stalled.store.calls.upsert(project, [call('s', { transcript })])
    return { stalled, next }
  }

  it.each([
    ['said anew', 'write', async (next: MongoStore) => void (await add({ store: next }, 'next')), ['next']],
    ['taken back', 'write', (next: MongoStore) => next.events.feedback.remove(project, 's', 'fb'), []],
    ['taken back with its call', 'write', (next: MongoStore) => next.calls.erase(project, 's'), []],
    ['taken back with its call', 'note', (next: MongoStore) => next.calls.erase(project, 's'), []],
  ])('feedback %s meanwhile stays so (frozen at %s)', async (_, command, changes, left) => {
    const { stalled, next } = await two()
    await add(stalled, 'first')
    const came = await late(
      command === 'note' ? 'begun' : 'feedback',
      { stalls: () => add(stalled, 'late'), meanwhile: () => changes(next.store) },
      command,
    )
    expect(came).toMatchObject(REFUSAL)
    expect(await texts(next)).toEqual(left)
  })

  it('feedback that was not there before does not come behind the erasure of its call', async () => {
    const { stalled, next } = await two()
    const came = await late('feedback', {
      stalls: () => add(stalled, 'late'),
      meanwhile: () => next.store.calls.erase(project, 's'),
    })
    expect(came).toMatchObject(REFUSAL)
    expect(ofProject('feedback').filter(one => one['record'] !== undefined)).toEqual([])
  })

  it('feedback that is restored by two is there once, and not behind the erasure of its call', async () => {
    const { stalled, next } = await two()
    const restored = [said('one', 'f1'), said('two', 'f2')]
    const restore = (who: { readonly store: MongoStore }) => who.store.events.feedback.restore(project, restored)
    const came = await late('feedback', { stalls: () => restore(stalled), meanwhile: () => restore(next) })
    expect(came).toMatchObject(REFUSAL)
    expect(await texts(next)).toEqual(['one', 'two'])
    await next.store.calls.erase(project, 's')
    await next.store.calls.upsert(project, [call('s')], { restoreErased: true })
    passOnServer(45_000)
    const later = await late('feedback', {
      stalls: () => restore(stalled),
      meanwhile: () => next.store.calls.erase(project, 's'),
    })
    expect(later).toMatchObject(REFUSAL)
    expect(await texts(next)).toEqual([])
  })

  it('a text of feedback that was masked late is not put over a newer one', async () => {
    const { stalled, next } = await two()
    await add(stalled, 'first')
    await late('feedback', {
      stalls: () => stalled.store.events.feedback.reword(project, [said('masked')]),
      meanwhile: () => add(next, 'next'),
    })
    expect(await texts(next)).toEqual(['next'])
  })

  it('an erasure takes no feedback, answer or name along that came after the call was restored', async () => {
    const { stalled, next } = await two()
    await add(stalled, 'first')
    for (const collection of ['feedback', 'report_calls', 'model_answers']) {
      const came = await late(collection, {
        stalls: () => stalled.store.calls.erase(project, 's'),
        meanwhile: async () => {
          await next.store.calls.upsert(project, [call('s', { transcript })], { restoreErased: true })
          await add(next, 'next')
          await next.store.modelAnswers.put(question(), '{}')
          await name(next)
        },
      })
      expect(came).toMatchObject(REFUSAL)
      expect(await texts(next)).toEqual(['next'])
      expect(await answer(next)).toBe('{}')
      expect(await next.store.reports.naming(project, ['s'])).toEqual(['one.csv'])
      passOnServer(45_000)
    }
  })

  it.each([
    ['that was restored is known as erased', 'stalls' as const, []],
    ['that was erased again is known as restored', 'restores' as const, ['s']],
  ])('no call %s', async (_, does, erased) => {
    const { stalled, next } = await two()
    const erase = (who: MongoStore) => who.calls.erase(project, 's')
    const restore = (who: MongoStore) => who.calls.upsert(project, [call('s')], { restoreErased: true })
    if (does === 'restores') await erase(next.store)
    const came = await late('erased_calls', {
      stalls: (): Promise<unknown> => (does === 'restores' ? restore(stalled.store) : erase(stalled.store)),
      meanwhile: async () => {
        await restore(next.store)
        if (does === 'restores') await erase(next.store)
      },
    })
    expect(came).toMatchObject(REFUSAL)
    expect((await next.store.calls.upsert(project, [call('s')])).erased).toEqual(erased)
  })

  it('a note of a call that comes late does not have it told of twice', async () => {
    const { stalled, next } = await two()
    const by = { created_at: '2026-03-01T00:00:00.000Z', created_by: 'ada' }
    const hook = { url: 'https://hooks.example.com/', events: ['interaction.evaluated'], active: true, secrets: [] }
    await next.store.events.webhooks.put({ ...by, ...hook, project_id: project, webhook_id: 'w' })
    let told = 0
    const take = () =>
      next.store.events.noted.take(9, calls => {
        told += calls.filter(one => one.project_id === project).length
        return { deliveries: [], alerts: [] }
      })
    const came = await late('noted_calls', {
      stalls: () => stalled.store.calls.upsert(project, [call('s', { score: 2 })]),
      meanwhile: async () => {
        await next.store.calls.upsert(project, [call('other')])
        while ((await take()) > 0);
      },
    })
    expect(came).toMatchObject(REFUSAL)
    while ((await take()) > 0);
    expect(told).toBe(2)
  })

  it('an alert that was triggered stays as it was changed meanwhile', async () => {
    const { stalled, next } = await two()
    const alert = {
      project_id: project,
      alert_id: 'a',
      name: 'first',
      condition: {},
      agents: [],
      cooldown_seconds: 1,
      active: true,
      created_at: '2026-03-01T00:00:00.000Z',
      created_by: 'ada',
    }
    const inTurn = <T>({ store }: { readonly store: MongoStore }, work: () => Promise<T>) =>
      store.turns.run('alerts', work)
    await inTurn(next, () => next.store.events.alerts.put(alert))
    await stalled.store.calls.upsert(project, [call('s', { score: 2 })])
    const triggered = { ...alert, last_triggered_at: '2026-03-02T00:00:00.000Z' }
    const changed = { ...alert, name: 'changed' }
    const came = await late('alerts', {
      stalls: () =>
        inTurn(stalled, () => stalled.store.events.noted.take(9, () => ({ deliveries: [], alerts: [triggered] }))),
      meanwhile: async () => {
        await inTurn(next, () => next.store.events.alerts.put(changed))
        await next.store.calls.upsert(project, [call('other')])
      },
    })
    expect(came).toMatchObject(REFUSAL)
    expect((await next.store.events.alerts.all()).filter(one => one.project_id === project)).toEqual([changed])
  })

  it('an answer of a model does not come behind the erasure of its call', async () => {
    const { stalled, next } = await two()
    const came = await late('model_answers', {
      stalls: () => stalled.store.modelAnswers.put(question(), '{"late":true}'),
      meanwhile: () => next.store.calls.erase(project, 's'),
    })
    expect(came).toMatchObject(REFUSAL)
    expect(await answer(next)).toBeUndefined()
    expect(ofProject('model_answers').filter(one => one['answer'] !== undefined)).toEqual([])
  })

  it('a report is not told of a call that is being erased', async () => {
    const { stalled, next } = await two()
    const came = await late('report_calls', {
      stalls: () => name(stalled),
      meanwhile: () => next.store.calls.erase(project, 's'),
    })
    expect(came).toMatchObject(REFUSAL)
    expect(await next.store.reports.naming(project, ['s'])).toEqual([])
  })

  it('a hold is placed, or refused: never said to be placed on what is being erased', async () => {
    const { stalled, next } = await two()
    const placed = { ...hold, project_id: project }
    const came = await late('holds', {
      stalls: () => stalled.store.privacy.placeHold(placed),
      meanwhile: () => next.store.calls.erase(project, 's'),
    })
    expect(came).toMatchObject(REFUSAL)
    expect(await next.store.privacy.holds(project)).toEqual([])
    await next.store.privacy.placeHold(placed)
    expect(await stalled.store.privacy.releaseHold(project, 'h')).toEqual(placed)
  })
})

describe('a fit of lift by a process whose turn is over', () => {
  const query = {
    evaluator: 'rules',
    rubric: 'r',
    rubricVersion: 'v',
    signals: [],
    parts: [],
    times: 'x',
    outcomeField: 'f',
  } as const
  const fit = (rubric_version: string) => ({
    evaluator: 'rules' as const,
    rubric: 'r',
    rubric_version,
    outcome: 'predicted_csat',
    before: [],
  })
  const turn = <T>({ store }: { readonly store: MongoStore }, work: () => Promise<T>) =>
    store.turns.run(`lift:${project}`, work)
  const fits = async ({ store }: { readonly store: MongoStore }) =>
    (await store.calls.liftFits(project)).map(one => one.rubric_version)

  it('is not put in place of a newer one', async () => {
    const [stalled, next] = [await process(), await process()]
    const write = (who: { readonly store: MongoStore }, version: string) =>
      turn(who, () => who.store.calls.writeLiftFit(project, fit(version)))
    const came = await late('lift_fits', { stalls: () => write(stalled, 'old'), meanwhile: () => write(next, 'new') })
    expect(came).toMatchObject(REFUSAL)
    expect(await fits(next)).toEqual(['new'])
    await write(stalled, 'newer')
    expect(await fits(next)).toEqual(['newer'])
  })

  it('gives calls no lift any more', async () => {
    const [stalled, next] = [await process(), await process()]
    const evaluation = { evaluator: 'rules' as const, rubric: 'r', rubric_version: 'v' }
    await stalled.store.calls.upsert(project, [call('s', { evaluation, session_metadata: { f: true } })])
    const lift = async ({ store }: { readonly store: MongoStore }, by: number) => {
      for await (const page of store.calls.liftPages(project, query)) {
        const lifts = page.calls.map(({ place }) => ({ place, lift: { lift: by, p_behavioral: 0.5, p_context: 0.5 } }))
        await store.calls.writeLifts(project, query, page, lifts)
      }
    }
    const over = new EventTarget()
    const goesOn = once(over, 'over')
    const begun = once(over, 'begun')
    const old = turn(stalled, async () => {
      over.dispatchEvent(new Event('begun'))
      await goesOn
      await lift(stalled, 0.1)
    })
    await begun
    passOnServer(45_000)
    await turn(next, async () => {
      await lift(next, 0.2)
      await next.store.calls.writeLiftFit(project, fit('v'))
    })
    over.dispatchEvent(new Event('over'))
    await expect(old).rejects.toMatchObject({ code: 'store_unavailable' })
    for await (const { calls } of next.store.calls.liftPages(project, query)) {
      expect(calls.map(one => one.lift?.lift)).toEqual([0.2])
    }
  })
})

describe('a batch of a model that another run took over from a process that stalled', () => {
  const about = [{ session_id: 's', request: 'r' }]
  const batch = (more: Partial<ModelBatchRecord> = {}): ModelBatchRecord => ({
    batch_id: 'b',
    project_id: project,
    kind: 'openai',
    url: 'http://127.0.0.1/v1',
    model: 'm',
    which: 'pending',
    created_at: '2026-03-01T00:00:00.000Z',
    requests: 1,
    expected: { input: 1, output: 1 },
    ...more,
  })
  const batches = ({ store }: { readonly store: MongoStore }) => store.modelBatches

  it('stays settled, and stays known where it was found to be sent', async () => {
    const [stalled, next] = [await process(), await process()]
    await batches(stalled).begin(batch(), about)
    const sent = batch({ remote_id: 'remote' })
    // It took the batch for one that was never sent.
    const removed = await late('model_batches', {
      stalls: () => batches(stalled).remove(batch()),
      meanwhile: () => batches(next).note(sent),
    })
    expect(removed).toMatchObject(REFUSAL)
    expect(await batches(next).of(project)).toEqual([sent])
    expect(await batches(next).calls(project, 'b')).toEqual(about)
    passOnServer(45_000)
    const settled = { ...sent, settled_at: '2026-03-01T01:00:00.000Z', answered: 1 }
    const noted = await late('model_batches', {
      stalls: () => batches(stalled).note(sent),
      meanwhile: () => batches(next).settle(settled),
    })
    expect(noted).toMatchObject(REFUSAL)
    expect(await batches(next).of(project)).toEqual([settled])
  })

  it('leaves no calls of one that was not begun', async () => {
    const [stalled, next] = [await process(), await process()]
    await stalled.store.calls.upsert(project, [call('s')])
    for (const collection of ['model_batch_calls', 'model_batches']) {
      const begun = await late(collection, {
        stalls: () => batches(stalled).begin(batch(), about),
        meanwhile: () => next.store.calls.erase(project, 's'),
      })
      expect(begun).toMatchObject(REFUSAL)
      expect(await batches(next).of(project)).toEqual([])
      expect(await batches(next).calls(project, 'b')).toEqual([])
      passOnServer(45_000)
    }
  })
})

it('a task that another changed meanwhile stays so, whatever an administrator’s process in a turn that was lost still writes', async () => {
  const [stalled, next] = [await process(), await process()]
  const id = `t-${project}`
  const named = (name: string) => task(id, { project_id: project, name })
  const rename = (who: { readonly store: MongoStore }, name: string) =>
    who.store.turns.run('tasks', () => who.store.tasks.update(named(name)))
  await stalled.store.tasks.insert(named('first'))
  const came = await late('tasks', { stalls: () => rename(stalled, 'late'), meanwhile: () => rename(next, 'next') })
  expect(came).toMatchObject(REFUSAL)
  const read = async () => (await next.store.tasks.all()).filter(one => one.task_id === id)
  expect(await read()).toEqual([named('next')])
  await rename(stalled, 'again')
  expect(await read()).toEqual([named('again')])
})
