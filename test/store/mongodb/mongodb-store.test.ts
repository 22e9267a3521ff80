import { inspect } from 'node:util'
import { beforeAll, describe, expect, it, onTestFinished, test } from 'vitest'
import { narrow, parsePipeline, toPlain } from '../../../src/pipeline/index.js'
import { scope } from '../../../src/pipeline/scope.js'
import type { PreparedCall, RunOptions } from '../../../src/store/store.js'
import { connectStore } from '../../../src/store/mongodb/connect.js'
import { MongoStore, type MongoStoreOptions } from '../../../src/store/mongodb/mongodb-store.js'
import { type FakeServer, fakeServer, noteStep, unfinishedWrites } from '../../support/mongodb/fake-server.js'
import { attempt, delivery } from '../contract/events.js'
import { call } from '../duckdb/support.js'

/** How the driver is used, on a fake of a server: what reaches it, and what becomes of what it does not answer. */

const OPTIONS: RunOptions = { lane: 'heavy', deadlineMs: 60_000, maxDocuments: 100 }

let server: FakeServer
beforeAll(async () => {
  server = await fakeServer()
  return () => server.close()
})

let projects = 0
const newProject = () => `p${(projects += 1)}`

async function open(options: MongoStoreOptions = {}, url = server.url): Promise<MongoStore> {
  const store = await MongoStore.open(await connectStore(url), options)
  onTestFinished(() => store.close())
  return store
}

/** Another process, when one that was cut off has no more to do. */
async function openedAfter(cut: MongoStore): Promise<MongoStore> {
  server.fault = undefined
  await expect.poll(() => cut.leases.held('lane:')).toEqual(new Set())
  return await open()
}

const asked = (
  project: string,
  stages: readonly object[],
  agents: 'all' | string[] = 'all',
  text: 'full' | 'none' = 'full',
) => narrow(parsePipeline([...stages]), scope(project, agents, text))

/** What came of a command while something is done. */
async function during(name: string, work: () => Promise<unknown>) {
  const before = server.commands.length
  await work()
  return server.commands.slice(before).filter(one => one.name === name)
}

describe('a question', () => {
  it('reaches the server behind the restriction, with no more than is read of a call', async () => {
    const store = await open()
    const project = newProject()
    await store.calls.upsert(project, [call('s1', { score: 4, title: 'private' })])
    const stages = [{ $match: { score: { $gte: 3 } } }, { $sort: { score: -1 } }, { $project: { score: 1 } }]
    const [aggregate] = await during('aggregate', () => store.run(asked(project, stages, ['Ana']), OPTIONS))
    expect(aggregate?.body['aggregate']).toBe('facts')
    const [first, chosen, ...others] = (aggregate?.body['pipeline'] ?? []) as readonly object[]
    expect(first).toEqual({ $match: { $and: [{ project_id: { $eq: project } }, { agent_name: { $in: ['Ana'] } }] } })
    expect(Object.keys((chosen as { $project: object }).$project)).toEqual(['_id', 'created_dt', 'score'])
    expect(others.map(stage => Object.keys(stage)[0])).toEqual(['$match', '$sort', '$project', '$limit'])
    expect(aggregate?.body['maxTimeMS']).toBe(60_000)
    expect(store.plan(asked(project, stages))).toEqual({ engine_stages: 3, evaluated_stages: 0 })
  })

  it('shows nothing that stands beside the record, not through $$ROOT either', async () => {
    const store = await open()
    const project = newProject()
    await store.calls.upsert(project, [call('s1', { title: 'T' })])
    const record = ['_id', 'session_id', 'agent_id', 'agent_name', 'created_dt', 'title']
    const whole = await store.run(asked(project, [{ $match: { agent_name: 'Ana' } }]), OPTIONS)
    expect(whole.documents.map(one => Object.keys(one))).toEqual([record])
    const root = await store.run(asked(project, [{ $replaceRoot: { newRoot: { all: '$$ROOT' } } }]), OPTIONS)
    expect(root.documents.map(({ all }) => Object.keys(all as object))).toEqual([record])
    const beside = await store.run(asked(project, [{ $match: { project_id: project } }]), OPTIONS)
    expect(beside.documents).toEqual([])
  })

  it('of a key without texts is never asked of the collection that has them', async () => {
    const store = await open()
    const project = newProject()
    const evidence = [{ turn: 0, quote: 'a secret' }]
    await store.calls.upsert(project, [
      call('s1', { title: 'a secret', signals: [{ key: 'sig.a', state: 'present', evidence }] }),
    ])
    const commands = await during('aggregate', async () => {
      const { documents } = await store.run(asked(project, [{ $limit: 5 }], 'all', 'none'), OPTIONS)
      expect(documents).toHaveLength(1)
      expect(JSON.stringify(documents)).not.toContain('a secret')
    })
    expect(commands.map(({ body }) => body['aggregate'] as string)).toEqual(['facts'])
    expect(
      inspect(
        server.documents('facts').filter(one => one['project_id'] === project),
        { depth: null },
      ),
    ).not.toContain('a secret')
  })

  it.each([
    ['a pattern with an end', { title: { $regex: 'a$' } }, '$regex'],
    ['letters of words', { title: { $regex: '\\bfoo' } }, '$regex'],
    ['a group that is repeated', { title: { $regex: '(a+)+b' } }, '$regex'],
    ['other letters in any case', { title: { $regex: 'é', $options: 'i' } }, '$regex'],
    ['a condition on elements', { signals: { $elemMatch: { key: 'x' } } }, '$elemMatch'],
    ['null within lists', { 'signals.key': null }, '$eq'],
    ['a place in a list', { 'signals.0.key': 'x' }, '$match'],
    ['an expression that is not asked of servers', { $expr: { $gt: [{ $sqrt: '$score' }, 1] } }, '$sqrt'],
  ])('that servers may answer otherwise is evaluated here: %s', async (_, filter, kept_out) => {
    const store = await open()
    expect(store.plan(asked('p', [{ $match: filter }]))).toEqual({ engine_stages: 0, evaluated_stages: 1, kept_out })
  })

  describe('is answered by the server as far as it means the same there', () => {
    const calls = [
      call('s1', { agent_name: 'Ana', score: 4, created_dt: '2026-03-02T09:00:00Z', session_metadata: { queue: 'b' } }),
      call('s2', {
        agent_name: 'Ben',
        score: 2,
        created_dt: '2026-03-09T09:00:00Z',
        session_metadata: { queue: ['a'] },
      }),
      call('s3', { agent_name: 'Ana', score: 5, created_dt: '2026-03-10T09:00:00Z', session_metadata: { queue: 'a' } }),
    ]
    const sums = { calls: { $sum: 1 }, score: { $avg: '$score' } }

    async function ask(stages: readonly object[]) {
      const store = await open()
      const project = newProject()
      await store.calls.upsert(project, calls)
      const scoped = asked(project, stages)
      let answered: readonly unknown[] = []
      const [aggregate] = await during('aggregate', async () => {
        answered = (await store.run(scoped, OPTIONS)).documents.map(toPlain)
      })
      const sent = (aggregate?.body['pipeline'] ?? []) as readonly object[]
      // Behind the restriction and the choice of fields.
      return { answered, sent: JSON.parse(JSON.stringify(sent.slice(2))) as object[], plan: store.plan(scoped) }
    }

    it('groups, in the order of their keys', async () => {
      const { answered, sent, plan } = await ask([{ $group: { _id: '$agent_name', ...sums } }])
      expect(sent.map(stage => Object.keys(stage)[0])).toEqual(['$group', '$sort', '$limit'])
      expect(plan).toEqual({ engine_stages: 1, evaluated_stages: 0 })
      expect(answered).toEqual([
        { _id: 'Ana', calls: 2, score: 4.5 },
        { _id: 'Ben', calls: 1, score: 2 },
      ])
    })

    it('groups by what may be a list, whose order is ours', async () => {
      const { answered, sent } = await ask([{ $group: { _id: '$session_metadata.queue', ...sums } }])
      expect(sent.map(stage => Object.keys(stage)[0])).toEqual(['$group'])
      expect(answered).toEqual([
        { _id: 'a', calls: 1, score: 5 },
        { _id: 'b', calls: 1, score: 4 },
        { _id: ['a'], calls: 1, score: 2 },
      ])
    })

    it('what is equal in a sort stays in the order of the groups', async () => {
      const week = { $dateTrunc: { date: '$created_dt', unit: 'week', startOfWeek: 'monday' } }
      const { sent, plan } = await ask([
        { $group: { _id: week, ...sums } },
        { $match: { calls: { $gte: 1 } } },
        { $sort: { calls: -1 } },
        { $limit: 1 },
      ])
      expect(sent.slice(1)).toEqual([
        { $match: { calls: { $gte: 1 } } },
        { $sort: { calls: -1, _id: 1 } },
        { $limit: 1 },
        { $limit: 101 },
      ])
      expect(plan).toEqual({ engine_stages: 4, evaluated_stages: 0 })
    })

    it('elements, of which the first are those of the first calls', async () => {
      const { answered, sent } = await ask([
        { $set: { letters: ['$agent_name', 'x'] } },
        { $unwind: '$letters' },
        { $limit: 3 },
        { $project: { letters: 1 } },
      ])
      expect(sent.map(stage => Object.keys(stage)[0])).toEqual([
        '$sort',
        '$set',
        '$unwind',
        '$limit',
        '$project',
        '$limit',
      ])
      expect(answered).toEqual([
        { _id: 's1', letters: 'Ana' },
        { _id: 's1', letters: 'x' },
        { _id: 's2', letters: 'Ben' },
      ])
    })

    it('with the instant of the request, not that of the server', async () => {
      const { sent } = await ask([{ $project: { age: { $subtract: ['$$NOW', '$created_dt'] } } }])
      expect(JSON.stringify(sent)).not.toContain('NOW')
    })

    it('fields that are set to null are null, not missing', async () => {
      const { answered } = await ask([{ $set: { x: null } }, { $project: { x: 1 } }, { $limit: 1 }])
      expect(answered).toEqual([{ _id: 's1', x: null }])
    })

    it('counts of nothing are no documents', async () => {
      expect((await ask([{ $match: { score: 9 } }, { $count: 'n' }])).answered).toEqual([])
      expect((await ask([{ $count: 'n' }])).answered).toEqual([{ n: 3 }])
    })

    it('without what calls have beside their record', async () => {
      const { answered } = await ask([
        { $match: { agent_name: 'Ben' } },
        { $project: { _id: 0, a: '$project_id', b: '$search_text', c: { $ifNull: ['$write_number', 'none'] } } },
      ])
      expect(answered).toEqual([{ c: 'none' }])
    })
  })

  it('that a server refuses is evaluated here, which says what is wrong', async () => {
    const store = await open()
    const project = newProject()
    await store.calls.upsert(project, [call('s1', { score: 4 })])
    const stages = [{ $project: { x: { $divide: ['$score', { $subtract: ['$score', 4] }] } } }]
    await expect(store.run(asked(project, stages), OPTIONS)).rejects.toThrow(/\$divide/)
    server.fault = (name, body) =>
      name === 'aggregate' && JSON.stringify(body['pipeline']).includes('$toUpper')
        ? { code: 16_555, message: 'no memory for project 7' }
        : undefined
    onTestFinished(() => void (server.fault = undefined))
    const { documents } = await store.run(asked(project, [{ $project: { x: { $toUpper: '$agent_name' } } }]), OPTIONS)
    expect(documents).toEqual([{ _id: 's1', x: 'ANA' }])
  })

  it('ends with its asker, and the server is told', async () => {
    const store = await open()
    const asker = new AbortController()
    server.fault = name => {
      if (name !== 'aggregate') return undefined
      setImmediate(() => asker.abort())
      return 'hang'
    }
    onTestFinished(() => void (server.fault = undefined))
    const killed = await during('killSessions', async () => {
      const running = store.run(asked('p', []), { ...OPTIONS, signal: asker.signal })
      await expect(running).rejects.toMatchObject({ code: 'cancelled' })
    })
    expect(killed).toHaveLength(1)
    expect(store.load().lanes.heavy).toEqual({ running: 0, waiting: 0 })
  })

  it('that takes the server too long is told so', async () => {
    const store = await open()
    server.fault = name => (name === 'aggregate' ? { code: 50, message: 'operation exceeded time limit' } : undefined)
    onTestFinished(() => void (server.fault = undefined))
    await expect(store.run(asked('p', []), OPTIONS)).rejects.toMatchObject({ code: 'deadline_exceeded' })
  })
})

test('what a server answers otherwise is not asked of it', async () => {
  const all = (await open()).answered
  const other = await fakeServer({ isNew: true })
  onTestFinished(() => other.close())
  other.fault = (name, body) =>
    name === 'aggregate' && JSON.stringify(body['pipeline']).includes('$nin')
      ? { code: 2, message: 'no $nin' }
      : undefined
  const store = await open({}, other.url)
  expect([...all].filter(name => !store.answered.has(name))).toEqual(['match:$nin'])
  const plan = (condition: object) => store.plan(asked('p', [{ $match: { title: condition } }]))
  expect(plan({ $nin: ['a'] })).toEqual({ engine_stages: 0, evaluated_stages: 1, kept_out: '$nin' })
  expect(plan({ $in: ['a'] })).toEqual({ engine_stages: 1, evaluated_stages: 0 })
})

test('numbers are kept as the types that the record says, whatever they look like', async () => {
  const store = await open()
  const project = newProject()
  await store.calls.upsert(project, [
    call('s1', {
      score: 4,
      talk_patterns: { hold_count: 2, total_duration_s: 60 },
      session_metadata: { n: 1, big: 5e9 },
    }),
  ])
  const types = {
    score: { $type: '$score' },
    holds: { $type: '$talk_patterns.hold_count' },
    seconds: { $type: '$talk_patterns.total_duration_s' },
    n: { $type: '$session_metadata.n' },
    big: { $type: '$session_metadata.big' },
    began: { $type: '$created_dt' },
  }
  const { documents } = await store.run(asked(project, [{ $project: { _id: 0, ...types } }]), OPTIONS)
  expect(documents).toEqual([
    { score: 'double', holds: 'int', seconds: 'double', n: 'int', big: 'double', began: 'date' },
  ])
})

describe('a write that was cut off', () => {
  const cutOff = (collection: string, command: string) => {
    server.fault = (name, body) => (name === command && body[command] === collection ? 'drop' : undefined)
  }
  const titlesIn = (collection: string, project: string) =>
    server
      .documents(collection)
      .filter(one => one['project_id'] === project)
      .map(one => [one['session_id'] as string, one['score']] as const)
      // In what order they lie there is a server's own affair.
      .toSorted(([a], [b]) => (a < b ? -1 : 1))

  it('is not acknowledged, and finished before the next: facts are what calls are', async () => {
    const store = await open()
    const project = newProject()
    cutOff('facts', 'update')
    const lost = store.calls.upsert(project, [call('s1', { score: 2 })])
    await expect(lost).rejects.toMatchObject({ code: 'store_unavailable' })
    server.fault = undefined
    expect(titlesIn('calls', project)).toHaveLength(1)
    expect(titlesIn('facts', project)).toEqual([])
    // Another process, as after a crash.
    const next = await open()
    await next.calls.upsert(project, [call('s2', { score: 3 })])
    expect(titlesIn('facts', project)).toEqual(titlesIn('calls', project))
    expect(unfinishedWrites(server)).toEqual([])
  })

  it('of an erasure leaves the tombstone, and the erasure is gone through with', async () => {
    const store = await open()
    const project = newProject()
    await store.calls.upsert(project, [call('s1'), call('s2')])
    cutOff('calls', 'delete')
    await expect(store.calls.erase(project, 's1')).rejects.toMatchObject({ code: 'store_unavailable' })
    server.fault = undefined
    const next = await open()
    expect((await next.calls.upsert(project, [call('s1')])).erased).toEqual(['s1'])
    expect(titlesIn('calls', project).map(([id]) => id)).toEqual(['s2'])
    expect(await next.privacy.erasures(project, 10)).toMatchObject([{ calls: 1, how: 'call' }])
    expect(unfinishedWrites(server)).toEqual([])
  })
})

describe('what is told of calls, cut off', () => {
  const cutOff = (command: string, collection: string) => {
    server.fault = (name, body) => {
      const isMeant =
        command === 'note' ? noteStep(name, body) === collection : name === command && body[command] === collection
      return isMeant ? 'drop' : undefined
    }
    onTestFinished(() => void (server.fault = undefined))
  }
  const told = async (store: MongoStore, project: string) =>
    (await store.events.deliveries.pending(`wh_${project}`, 0, 9)).map(one => one.delivery_id)

  it.each([
    ['insert', 'event_deliveries', 'nothing of it'],
    ['note', 'begun', 'nothing of it'],
    ['insert', 'feedback', 'nothing of it'],
    ['update', 'event_deliveries', 'all of it'],
    ['note', 'ended', 'all of it'],
  ])('feedback with what tells of it, at %s of %s, leaves %s', async (command, collection, left) => {
    const store = await open()
    const project = newProject()
    await store.calls.upsert(project, [call('s1')])
    const said = { feedback_id: 'f', project_id: project, session_id: 's1', about: 'call' as const }
    const given = { ...said, rating: 4, created_at: '2026-03-01T00:00:00.000Z', created_by: 'Ann' }
    cutOff(command, collection)
    const adding = store.events.feedback.add(
      given,
      [1, 2].map(n => delivery(project, n, { event: 'feedback.given', subject: 'call/s1' })),
    )
    await expect(adding).rejects.toMatchObject({ code: 'store_unavailable' })
    expect(await told(store, project), 'nothing is told before all of it is there').toEqual(
      collection === 'ended' ? ['dlv_1', 'dlv_2'] : [],
    )
    const next = await openedAfter(store)
    const all = left === 'all of it'
    expect(await told(next, project)).toEqual(all ? ['dlv_1', 'dlv_2'] : [])
    expect(await next.events.feedback.of(project, 's1')).toEqual(all ? [given] : [])
    expect(unfinishedWrites(server)).toEqual([])
  })

  it.each([
    ['insert', 'event_deliveries'],
    ['findAndModify', 'alerts'],
    ['delete', 'noted_calls'],
    ['update', 'event_deliveries'],
  ])('a call that was written is told of once, at %s of %s', async (command, collection) => {
    const store = await open()
    const project = newProject()
    const made = { created_at: '2026-03-01T00:00:00.000Z', created_by: 'Ann', active: true }
    const alert = {
      ...made,
      project_id: project,
      alert_id: 'a',
      name: 'A',
      condition: {},
      agents: [],
      cooldown_seconds: 1,
    }
    await store.events.alerts.put(alert)
    await store.calls.upsert(project, [call('s1', { score: 2 })])
    const triggered = { ...alert, last_triggered_at: '2026-03-02T00:00:00.000Z' }
    const take = (from: MongoStore) =>
      from.events.noted.take(9, calls => ({
        deliveries: calls.map((_, n) => delivery(project, n, { subject: 'call/s1' })),
        alerts: [triggered],
      }))
    cutOff(command, collection)
    await expect(take(store)).rejects.toMatchObject({ code: 'store_unavailable' })
    const next = await openedAfter(store)
    const taken = await take(next)
    expect(taken).toBe(command === 'insert' ? 1 : 0)
    expect(await told(next, project)).toEqual(['dlv_0'])
    expect((await next.events.alerts.all()).filter(one => one.project_id === project)).toEqual([triggered])
    expect(await take(next)).toBe(0)
  })

  it.each([
    ['update', 'calls', 'of neither: both are as they were'],
    ['update', 'facts', 'of both'],
    ['insert', 'noted_calls', 'of both'],
  ])('what a write changed that was cut off at %s of %s is noted: %s', async (command, collection, expected) => {
    const store = await open()
    const project = newProject()
    const hook = { url: 'https://hooks.example.com/', events: ['interaction.evaluated'], active: true, secrets: [] }
    const by = { created_at: '2026-03-01T00:00:00.000Z', created_by: 'Ann' }
    await store.events.webhooks.put({ ...hook, ...by, project_id: project, webhook_id: 'w' })
    const take = async (from: MongoStore) => {
      const taken: (readonly [string, number | undefined])[] = []
      await from.events.noted.take(9, calls => {
        taken.push(...calls.map(one => [one.session_id, one.score] as const))
        return { deliveries: [], alerts: [] }
      })
      return taken
    }
    await store.calls.upsert(project, [call('s1', { score: 2 })])
    expect(await take(store)).toEqual([['s1', 2]])
    cutOff(command, collection)
    const writing = store.calls.upsert(project, [call('s1', { score: 3 }), call('s2', { score: 4 })])
    await expect(writing).rejects.toMatchObject({ code: 'store_unavailable' })
    expect(await take(await openedAfter(store))).toEqual(
      expected === 'of both'
        ? [
            ['s1', 3],
            ['s2', 4],
          ]
        : [],
    )
  })
})

/** What a server says that is about to be a secondary. */
const steppedDown = { code: 10_107, message: 'not primary', labels: ['RetryableWriteError'] }

const idsIn = (collection: string, project: string) =>
  server
    .documents(collection)
    .filter(one => one['project_id'] === project)
    .map(one => one['session_id'] as string)
    .toSorted()

describe('a primary that steps down in the middle of an import', () => {
  it('once, is asked again: the import is acknowledged, and all of it there once', async () => {
    const store = await open()
    const project = newProject()
    const failed: string[] = []
    server.fault = (name, body) => {
      const what = `${name} ${String(body[name])}`
      if (!['insert', 'update', 'findAndModify', 'delete'].includes(name) || failed.includes(what)) return undefined
      failed.push(what)
      return steppedDown
    }
    onTestFinished(() => void (server.fault = undefined))
    expect(await store.calls.upsert(project, [call('s1'), call('s2')])).toMatchObject({ stored: 2 })
    expect(failed).toEqual(expect.arrayContaining(['update calls', 'update facts', 'update write_lanes']))
    expect(idsIn('calls', project)).toEqual(['s1', 's2'])
    expect(idsIn('facts', project)).toEqual(['s1', 's2'])
  })

  it.each([
    [10_107, 'is choosing another primary'],
    [189, 'is choosing another primary'],
    [14_031, 'has no room left on its disk'],
  ])(
    'or does not do it for longer (%i): what was acknowledged is there, the rest is told and may be asked again',
    async (code, said) => {
      const store = await open()
      const project = newProject()
      await store.calls.upsert(project, [call('before')])
      server.fault = (name, body) =>
        name === 'update' && body['update'] === 'facts' ? { code, message: 'no' } : undefined
      onTestFinished(() => void (server.fault = undefined))
      await expect(store.calls.upsert(project, [call('s1'), call('s2')])).rejects.toMatchObject({
        code: 'store_unavailable',
        message: expect.stringContaining(said),
      })
      server.fault = undefined
      expect(await store.calls.upsert(project, [call('s1'), call('s2')])).toMatchObject({ stored: 2 })
      expect(idsIn('facts', project)).toEqual(['before', 's1', 's2'])
      expect(idsIn('calls', project)).toEqual(['before', 's1', 's2'])
      expect(unfinishedWrites(server)).toEqual([])
    },
  )
})

test('what waits in the outbox is counted without what was delivered, however long its history is', async () => {
  const store = await open()
  const project = newProject()
  await store.events.deliveries.add([1, 2, 3].map(n => delivery(project, n)))
  const [waits, ...others] = await store.events.deliveries.pending(`wh_${project}`, 0, 9)
  await store.events.deliveries.settle(others.map(one => attempt(one, 'delivered')))
  const before = server.commands.length
  const { pending, dead } = await store.events.deliveries.counts()
  const looked = server.commands.slice(before).filter(({ body }) => body['aggregate'] === 'event_deliveries')
  expect(waits?.delivery_id).toBe('dlv_1')
  expect(looked.reduce((sum, { read }) => sum + read, 0)).toBe(pending + dead)
})

test('a server that is gone is told of in a sentence, whatever was asked of it', async () => {
  const store = await open()
  server.fault = name => (name === 'hello' ? undefined : 'drop')
  onTestFinished(() => void (server.fault = undefined))
  const asked: readonly (() => Promise<unknown>)[] = [
    () => store.keys.all(),
    () => store.events.deliveries.counts(),
    () => store.events.webhooks.remove('p', 'w'),
    () => store.calls.agentIds('p'),
    () => store.privacy.holds('p'),
    () => store.tasks.all(),
  ]
  for (const one of asked) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await expect(one()).rejects.toMatchObject({
      code: 'store_unavailable',
      message: expect.stringMatching(/^The .*store at 127/),
    })
  }
})

test('a connection that breaks while something large is being sent is told of in a sentence, and it may be sent again', async () => {
  const store = await open()
  const project = newProject()
  const large = Array.from({ length: 8 }, (_, n) => call(`s${n}`, { title: 'x'.repeat(512 * 1024) }))
  server.wire.breaksAbove = 2 * 1024 * 1024
  onTestFinished(() => void (server.wire.breaksAbove = Infinity))
  const sections = [{ heading: 'H', text: 'x'.repeat(4 * 1024 * 1024) }]
  const named = { project_id: project, kb_id: 'kb_1', name: 'a', title: 'A' }
  const document = { ...named, sections, imported_at: '2026-03-01T00:00:00.000Z' }
  const sent = [() => store.calls.upsert(project, large), () => store.knowledge.put(document)]
  for (const one of sent) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await expect(one()).rejects.toMatchObject({
      code: 'store_unavailable',
      message: expect.stringMatching(/^The connection to the store at 127[^ ]* broke: it closed the connection$/),
    })
  }
  server.wire.breaksAbove = Infinity
  expect(await store.calls.upsert(project, large)).toMatchObject({ stored: 8 })
  await store.knowledge.put(document)
})

test('a document that the server can’t keep is told to whoever sends it', async () => {
  const store = await open()
  server.fault = name => (name === 'findAndModify' ? { code: 10_334, message: 'BSONObj size is invalid' } : undefined)
  onTestFinished(() => void (server.fault = undefined))
  const named = { project_id: 'p', kb_id: 'kb_1', name: 'a', title: 'A' }
  const document = { ...named, sections: [], imported_at: '2026-03-01T00:00:00.000Z' }
  await expect(store.knowledge.put(document)).rejects.toMatchObject({ code: 'too_large' })
})

test('a call that the store cannot keep is told of, those beside it are written, and what was there stays', async () => {
  const store = await open()
  const project = newProject()
  await store.calls.upsert(project, [call('long', { title: 'before' })])
  const odd: PreparedCall = call('odd', { session_metadata: { _bsontype: 'ObjectId' } })
  // Its texts are kept once more for searches, so that 8 MiB of them are too much.
  const turns = [{ turn: 0, actor: 'agent', text: 'how that feels '.repeat(560_000) }]
  const long = call('long', { transcript: turns })
  const { stored, replaced, unkept } = await store.calls.upsert(project, [call('s1'), odd, long, call('s2')])
  expect({ stored, replaced }).toEqual({ stored: 2, replaced: 0 })
  expect(unkept).toEqual([
    {
      session_id: 'odd',
      why: expect.stringMatching(/^has a field in session_metadata whose name this store cannot keep/),
    },
    {
      session_id: 'long',
      why: expect.stringMatching(/^is larger than the 16 MiB that this store can keep of one call/),
    },
  ])
  const there = server.documents('calls').filter(one => one['project_id'] === project)
  expect(there.map(one => [one['session_id'], one['title']])).toEqual([
    ['long', 'before'],
    ['s1', undefined],
    ['s2', undefined],
  ])
})
