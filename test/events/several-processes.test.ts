import { pino } from 'pino'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { newAlert } from '../../src/events/alerts/alert-fields.js'
import { Events } from '../../src/events/events.js'
import { connectStore } from '../../src/store/mongodb/connect.js'
import { MongoStore } from '../../src/store/mongodb/mongodb-store.js'
import { type FakeServer, fakeServer } from '../support/mongodb/fake-server.js'
import { Receiver } from '../support/receiver.js'
import { call } from '../store/duckdb/support.js'

/** Events of two processes over one store, told to a real receiver. */

const SECRET = Buffer.alloc(32, 7).toString('base64url')

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

interface Process {
  readonly store: MongoStore
  readonly events: Events
  readonly start: () => void
  /** Takes up what others did, as a follower does each second. */
  readonly follow: () => Promise<void>
}

async function process(firstRetryMs = 20): Promise<Process> {
  const store = await MongoStore.open(await connectStore(server.url), { clock: () => performance.now() + ahead })
  const clock = () => Date.now() + ahead
  const parts = { store: store.events, sharing: store, secret: SECRET, allowedRanges: ['127.0.0.0/8'], clock }
  const events = await Events.load(parts)
  onTestFinished(async () => {
    await events.close()
    await store.close()
  })
  const start = () =>
    events.start({
      leases: store.leases,
      isShared: true,
      lookEveryMs: 20,
      findChanges: async () => [],
      meter: { attempted: () => undefined },
      log: pino({ level: 'silent' }),
      userAgent: 'Earshot/test',
      firstRetryMs,
      retentionMs: 86_400_000,
    })
  const follow = async () => {
    const versions = await store.versions.read()
    await Promise.all(events.followed.map(one => one.follow(versions)))
  }
  return { store, events, start, follow }
}

async function receiver(...args: Parameters<typeof Receiver.start>): Promise<Receiver> {
  const made = await Receiver.start(...args)
  onTestFinished(() => made.stop())
  return made
}

const minted = { is_supervisor: true, roles: [], require_mapping: false, full_project: true }
const about = (key_id: string) => [
  { event: 'key.minted' as const, project_id: 'p', data: { key_id, ...minted } },
  { event: 'key.revoked' as const, project_id: 'p', data: { key_id } },
]

describe('deliveries of several processes', () => {
  test('arrive once each, in order, whichever process raised them', async () => {
    const [a, b, hook] = [await process(), await process(), await receiver()]
    await a.events.webhooks.add('p', { url: hook.url, events: ['key.minted', 'key.revoked'] }, 'ada')
    await b.follow()
    a.start()
    b.start()
    for (const key of ['k1', 'k2', 'k3', 'k4']) {
      for (const [i, event] of about(key).entries()) await (i === 0 ? a : b).events.raise(event)
    }
    await a.follow()
    await b.follow()
    await hook.until(({ accepted }) => accepted.length === 8)
    await Promise.all([a.events.close(), b.events.close()])
    const came = hook.received.map(({ event, data }) => `${String(data['key_id'])} ${event}`)
    expect(came.toSorted()).toEqual(
      ['k1', 'k2', 'k3', 'k4'].flatMap(key => [`${key} key.minted`, `${key} key.revoked`]),
    )
    for (const key of ['k1', 'k2', 'k3', 'k4']) {
      expect(came.filter(one => one.startsWith(key))).toEqual([`${key} key.minted`, `${key} key.revoked`])
    }
  })

  test('come again with the same id where a process died between sending and settling, and the next ones behind', async () => {
    const [a, b, hook] = [await process(), await process(), await receiver()]
    const { webhook_id: id } = await a.events.webhooks.add(
      'p',
      { url: hook.url, events: ['key.minted', 'key.revoked'] },
      'ada',
    )
    a.start()
    let revive = () => undefined as void
    const dead = new Promise<void>(resolve => (revive = resolve))
    server.fault = (name, body) =>
      name === 'update' && JSON.stringify(body).includes('attempted_at') ? dead : undefined
    for (const event of about('k1')) await a.events.raise(event)
    await hook.until(({ accepted }) => accepted.length === 1)
    await b.follow()
    b.start()
    await b.follow()
    // It is the other's as long as it has it.
    expect(await b.store.leases.take(`webhook:${id}`)).toBeUndefined()
    pass(LEASE_OVER_MS)
    server.fault = undefined
    await hook.until(({ accepted }) => accepted.length === 3)
    expect(hook.accepted.map(({ event }) => event)).toEqual(['key.minted', 'key.minted', 'key.revoked'])
    expect(hook.accepted[0]?.headers['webhook-id']).toBe(hook.accepted[1]?.headers['webhook-id'])
    await expect
      .poll(async () => (await b.events.deliveries('p', id, { limit: 9 })).map(({ state }) => state))
      .toEqual(['delivered', 'delivered'])
    const settled = server.documents('event_deliveries')
    // What it was about to write comes late, and changes nothing.
    revive()
    await a.events.close()
    expect(server.documents('event_deliveries')).toEqual(settled)
    expect(hook.received).toHaveLength(3)
  })

  test('that come late, with numbers that were passed, are told all the same', async () => {
    const [a, b, hook] = [await process(), await process(), await receiver()]
    const events = ['key.minted', 'key.revoked'] as const
    await a.events.webhooks.add('p', { url: hook.url, events: [...events] }, 'ada')
    await b.follow()
    b.start()
    const [first, second] = about('k1')
    let thaw = () => undefined as void
    server.fault = name => {
      if (name !== 'insert') return undefined
      server.fault = undefined
      return new Promise<void>(resolve => (thaw = resolve))
    }
    const late = a.events.raise(first!)
    await expect.poll(() => server.fault).toBeUndefined()
    pass(LEASE_OVER_MS)
    await b.events.raise(second!)
    await hook.until(({ accepted }) => accepted.length === 1)
    thaw()
    await late
    await Promise.all(b.events.followed.map(one => one.reload()))
    await hook.until(({ accepted }) => accepted.length === 2)
    expect(hook.received.map(({ event }) => event)).toEqual(['key.revoked', 'key.minted'])
  })

  test('are not sent where another process erased the call they are about', async () => {
    const [a, b] = [await process(3_600_000), await process()]
    const hook = await receiver((_, count) => (count === 1 ? 503 : 200))
    const { webhook_id: id } = await a.events.webhooks.add(
      'p',
      { url: hook.url, events: ['interaction.evaluated'] },
      'ada',
    )
    a.start()
    await a.store.calls.upsert('p', [call('s1', { score: 4, evaluation: { evaluator: 'rules' } })])
    await hook.until(({ received }) => received.length === 1)
    await expect.poll(async () => (await a.events.deliveries('p', id, { limit: 1 }))[0]?.attempts).toBe(1)
    await b.store.calls.erase('p', 's1')
    pass(7_200_000)
    await Promise.all(a.events.followed.map(one => one.reload()))
    await a.events.close()
    expect(hook.accepted).toEqual([])
  })
})

test('an alert of several processes fires once, and then its cooldown is everybody’s', async () => {
  const [a, b, hook] = [await process(), await process(), await receiver()]
  await a.events.webhooks.add('p', { url: hook.url, events: ['alert.triggered'] }, 'ada')
  const condition = { kind: 'score_below', threshold: 3 } as const
  const alert = await a.events.alerts.add('p', newAlert.parse({ name: 'n', condition }), 'ada')
  await b.follow()
  a.start()
  b.start()
  const poor = (id: string) => [call(id, { score: 2, evaluation: { evaluator: 'rules' } })]
  await Promise.all([a.store.calls.upsert('p', poor('s1')), b.store.calls.upsert('p', poor('s2'))])
  await Promise.all([a, b].map(({ events }) => Promise.all(events.followed.map(one => one.reload()))))
  // Whoever has the webhook hears of it as it follows the others.
  const told = async () => {
    await Promise.all([a.follow(), b.follow()])
    return hook.accepted.length
  }
  await expect.poll(told).toBe(1)
  await expect.poll(() => server.documents('noted_calls')).toEqual([])
  await b.follow()
  expect(b.events.alerts.get('p', alert.alert_id).last_triggered_at).toBeDefined()
  await b.store.calls.upsert('p', poor('s3'))
  await expect.poll(() => server.documents('noted_calls')).toEqual([])
  expect(server.documents('event_deliveries')).toHaveLength(1)
})

test('calls of a project are told of, and alerts can be changed, while a process that died still has another’s lane', async () => {
  const [died, b, hook] = [await process(), await process(), await receiver()]
  for (const project of ['x', 'y']) {
    await died.events.webhooks.add(project, { url: hook.url, events: ['interaction.evaluated'] }, 'ada')
  }
  await b.follow()
  const evaluated = (id: string) => [call(id, { score: 4, evaluation: { evaluator: 'rules' } })]
  await died.store.calls.upsert('x', evaluated('x1'))
  let revive = () => undefined as void
  const dead = new Promise<void>(resolve => (revive = resolve))
  server.fault = (name, body) =>
    name === 'update' && body['update'] === 'calls' && JSON.stringify(body).includes('x2') ? dead : undefined
  const late = died.store.calls.upsert('x', evaluated('x2')).catch(() => undefined)
  await expect.poll(() => server.documents('write_lanes')).toMatchObject([{ _id: 'x', unfinished: { kind: 'calls' } }])
  b.start()
  await b.store.calls.upsert('y', evaluated('y1'))
  await hook.until(({ accepted }) => accepted.length === 1)
  expect(hook.accepted[0]?.data['session_id']).toBe('y1')
  const condition = { kind: 'score_below', threshold: 3 } as const
  await b.events.alerts.add('y', newAlert.parse({ name: 'n', condition }), 'ada')
  await b.follow()
  // Of the other it is told when its time is over.
  server.fault = undefined
  pass(LEASE_OVER_MS)
  await hook.until(({ accepted }) => accepted.length === 2)
  expect(hook.accepted[1]?.data['session_id']).toBe('x1')
  revive()
  await late
})

test('what another process raised for a webhook that was removed meanwhile does not wait for good', async () => {
  const [a, b, next] = [await process(), await process(), await process()]
  const fields = { url: 'http://127.0.0.1:9/', events: ['key.revoked' as const] }
  const { webhook_id: id } = await a.events.webhooks.add('p', fields, 'ada')
  const { webhook_id: other } = await a.events.webhooks.add('p', fields, 'ada')
  await b.follow()
  await a.events.webhooks.remove('p', id)
  await b.events.raise(about('k1')[1]!)
  const waiting = () => server.documents('event_deliveries').map(one => one['webhook_id'])
  expect(new Set(waiting())).toEqual(new Set([id, other]))
  next.start()
  await expect.poll(waiting).toEqual([other])
})

test('webhooks of other projects are read anew while one is removed whose project waits for a process that died', async () => {
  const [died, b] = [await process(), await process()]
  const fields = { url: 'http://127.0.0.1:9/', events: ['key.minted' as const] }
  const { webhook_id: id } = await died.events.webhooks.add('x', fields, 'ada')
  await b.follow()
  let revive = () => undefined as void
  const dead = new Promise<void>(resolve => (revive = resolve))
  let isAsked = false
  server.fault = (name, body) => {
    if (name !== 'insert' || body['insert'] !== 'event_deliveries') return undefined
    isAsked = true
    return dead
  }
  const late = died.events.raise({ ...about('k')[0]!, project_id: 'x' }).catch(() => undefined)
  await expect.poll(() => isAsked).toBe(true)
  server.fault = undefined
  const removing = b.events.webhooks.remove('x', id)
  await expect.poll(() => server.documents('lease_waits')).toHaveLength(1)
  await b.events.webhooks.add('y', fields, 'ada')
  expect(b.events.webhooks.list('x')).toEqual([])
  revive()
  await Promise.all([late, removing])
})
