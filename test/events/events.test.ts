import { InProcessLeases } from '../../src/store/in-process-leases.js'
import { setTimeout } from 'node:timers/promises'
import { pino } from 'pino'
import { Webhook } from 'svix'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { FoundChange } from '../../src/events/alerts/change-watch.js'
import { newAlert } from '../../src/events/alerts/alert-fields.js'
import type { EventName } from '../../src/events/event-kinds.js'
import { Events } from '../../src/events/events.js'
import { eraseCalls } from '../../src/ingest/erase-calls.js'
import { Recordings } from '../../src/ingest/recordings.js'
import type { DuckDbStore } from '../../src/store/duckdb/duckdb-store.js'
import { call, openStore, rows, tempDir } from '../store/duckdb/support.js'
import { noReports } from '../support/no-reports.js'
import { Receiver } from '../support/receiver.js'
import { isWhole } from '../support/whole.js'

const SECRET = Buffer.alloc(32, 7).toString('base64url')
const HOUR = 3_600_000

let dataDir: string
let store: DuckDbStore
let later: number
let results: string[]
let changes: readonly FoundChange[]
beforeEach(async () => {
  dataDir = tempDir()
  store = await openStore({ dataDir })
  later = 0
  results = []
  changes = []
})

/** Events as the service has them; `later` moves their clock. */
async function open(): Promise<Events> {
  const parts = { store: store.events, secret: SECRET, allowedRanges: ['127.0.0.0/8'] }
  return await Events.load({ ...parts, clock: () => Date.now() + later })
}

function start(events: Events): void {
  events.start({
    leases: new InProcessLeases(),
    isShared: false,
    findChanges: async () => changes,
    meter: { attempted: result => void results.push(result) },
    log: pino({ level: 'silent' }),
    userAgent: 'Earshot/test',
    firstRetryMs: 20,
    retentionMs: 24 * HOUR,
  })
  onTestFinished(() => events.close())
}

async function receiver(...args: Parameters<typeof Receiver.start>): Promise<Receiver> {
  const made = await Receiver.start(...args)
  onTestFinished(() => made.stop())
  return made
}

const add = (events: Events, url: string, ...names: EventName[]) =>
  events.webhooks.add('p', { url, events: names }, 'ada')

const revoked = (key_id: string, project_id = 'p') => ({ event: 'key.revoked' as const, project_id, data: { key_id } })

const evaluated = (id: string, score: number, more: object = {}) =>
  call(id, { score, evaluation: { evaluator: 'rules' }, title: 'Secret title', ...more })

describe('deliveries', () => {
  test('reach who wants the event, of that project, signed so that an independent library agrees', async () => {
    const events = await open()
    const [one, deaf, foreign] = [await receiver(), await receiver(), await receiver()]
    const { secret } = await add(events, one.url, 'key.revoked')
    await add(events, deaf.url, 'key.minted')
    await events.webhooks.add('other', { url: foreign.url, events: ['key.revoked'] }, 'ada')
    start(events)
    await events.raise(revoked('key_1'))
    await one.until(({ accepted }) => accepted.length === 1)
    const [{ id, event, timestamp, data, text, headers }] = one.accepted as [Receiver['received'][number]]
    expect({ event, data }).toEqual({ event: 'key.revoked', data: { key_id: 'key_1' } })
    expect(Math.abs(Date.parse(timestamp) - Date.now())).toBeLessThan(60_000)
    expect(headers).toMatchObject({
      'webhook-id': id,
      'user-agent': 'Earshot/test',
      'content-type': 'application/json',
    })
    expect(new Webhook(secret).verify(text, headers)).toMatchObject({ id })
    expect([deaf.received, foreign.received]).toEqual([[], []])
  })

  test('a receiver that fails gets each event again, in order per subject, while others go on', async () => {
    const events = await open()
    const failing = await receiver((_, count) => (count % 3 === 0 ? 200 : 503))
    const { webhook_id: id } = await add(events, failing.url, 'key.revoked', 'key.minted')
    start(events)
    const minted = { is_supervisor: true, roles: [], require_mapping: false, full_project: true }
    for (const key_id of ['a', 'b', 'c']) {
      await events.raise({ event: 'key.minted', project_id: 'p', data: { key_id, ...minted } })
      await events.raise(revoked(key_id))
    }
    await failing.until(() => results.filter(result => result === 'delivered').length === 6)
    for (const key of ['a', 'b', 'c']) {
      const about = failing.received.filter(({ data }) => data['key_id'] === key)
      const firstRevoked = about.findIndex(({ event }) => event === 'key.revoked')
      expect(about.slice(0, firstRevoked).at(-1)).toMatchObject({ event: 'key.minted', status: 200 })
      expect(about.slice(firstRevoked).every(({ event }) => event === 'key.revoked')).toBe(true)
      // The same id and bytes at every attempt.
      expect(new Set(about.map(({ id: event, text }) => `${event} ${text}`)).size).toBe(2)
    }
    const history = await events.deliveries('p', id, { limit: 10 })
    expect(history.every(({ state, status }) => state === 'delivered' && status === 200)).toBe(true)
  })

  test('a receiver that never answers blocks nobody else', async () => {
    const events = await open()
    let release: (() => void) | undefined
    const blocked = new Promise<void>(resolve => (release = resolve))
    const slow = await receiver(async () => {
      await blocked
      return 204
    })
    const quick = await receiver()
    await add(events, slow.url, 'key.revoked')
    await add(events, quick.url, 'key.revoked')
    start(events)
    await Promise.all(Array.from({ length: 40 }, (_, n) => events.raise(revoked(`key_${n}`))))
    await quick.until(({ accepted }) => accepted.length === 40)
    expect(slow.received).toEqual([])
    release?.()
    await slow.until(({ accepted }) => accepted.length === 40)
  })

  test('eight receivers of a project that never answer keep none of another project waiting, nor a ninth of their own', async () => {
    const events = await open()
    let release = (): void => undefined
    const held = new Promise<void>(resolve => (release = resolve))
    let silent = 0
    const silence = await receiver(async () => {
      silent += 1
      await held
      return 204
    })
    for (let n = 0; n < 8; n += 1) await add(events, silence.url, 'key.revoked')
    const [own, foreign] = [await receiver(), await receiver()]
    await add(events, own.url, 'key.minted')
    await events.webhooks.add('other', { url: foreign.url, events: ['key.revoked'] }, 'ada')
    start(events)
    await Promise.all(Array.from({ length: 20 }, (_, n) => events.raise(revoked(`key_${n}`))))
    await silence.until(() => silent >= 16)
    const minted = { is_supervisor: true, roles: [], require_mapping: false, full_project: true }
    await events.raise(revoked('of another', 'other'))
    await events.raise({ event: 'key.minted', project_id: 'p', data: { key_id: 'of its own', ...minted } })
    await foreign.until(({ accepted }) => accepted.length === 1)
    await own.until(({ accepted }) => accepted.length === 1)
    expect(silence.received).toEqual([])
    release()
    await silence.until(({ accepted }) => accepted.length === 160)
  })

  test('what was not told is told after a restart; what was is not again', async () => {
    const before = await open()
    let up = false
    const hooks = await receiver(({ data }) => (up || data['key_id'] === 'told' ? 204 : 500))
    await add(before, hooks.url, 'key.revoked')
    start(before)
    await before.raise(revoked('told'))
    await before.raise(revoked('later'))
    await hooks.until(({ received }) => received.some(({ status }) => status === 500))
    await hooks.until(({ accepted }) => accepted.length === 1)
    await before.close()
    up = true
    start(await open())
    await hooks.until(({ accepted }) => accepted.length === 2)
    await setTimeout(50)
    expect(hooks.accepted.map(({ data }) => data['key_id'])).toEqual(['told', 'later'])
  })

  test('after 24 hours it is a dead letter, which can be sent again', async () => {
    const events = await open()
    let up = false
    const hooks = await receiver(() => (up ? 204 : 410))
    const { webhook_id: id } = await add(events, hooks.url, 'key.revoked')
    start(events)
    await events.raise(revoked('key_1'))
    await hooks.until(({ received }) => received.length > 0)
    later = 25 * HOUR
    await hooks.until(() => results.includes('dead'))
    expect(await events.deliveries('p', id, { state: 'dead', limit: 9 })).toMatchObject([{ status: 410 }])
    expect(await events.deliveries('p', id, { state: 'pending', limit: 9 })).toEqual([])
    up = true
    await expect(events.resend('p', id, 'dlv_none')).rejects.toThrow('No delivery "dlv_none"')
    await expect(events.resend('other', id)).rejects.toThrow('Webhook not found')
    expect(await events.resend('p', id)).toBe(1)
    await hooks.until(({ accepted }) => accepted.length === 1)
    expect(await events.resend('p', id)).toBe(0)
  })

  test('one that is paused hears nothing of what happens meanwhile; one that is removed is never told', async () => {
    const events = await open()
    const hooks = await receiver()
    const { webhook_id: id } = await add(events, hooks.url, 'key.revoked')
    start(events)
    await events.webhooks.patch('p', id, { active: false })
    await events.raise(revoked('meanwhile'))
    await events.webhooks.patch('p', id, { active: true })
    await events.raise(revoked('after'))
    await hooks.until(({ accepted }) => accepted.length === 1)
    expect(hooks.received.map(({ data }) => data['key_id'])).toEqual(['after'])
    await events.webhooks.remove('p', id)
    await events.raise(revoked('gone'))
    await expect(events.deliveries('p', id, { limit: 1 })).rejects.toThrow('Webhook not found')
    expect(await rows(store, 'select * from event_deliveries')).toEqual([])
  })
})

describe('signing secrets', () => {
  test('two sign while they are exchanged, then the new one alone', async () => {
    const events = await open()
    const hooks = await receiver()
    const { webhook_id: id, secret: old } = await add(events, hooks.url, 'key.revoked')
    start(events)
    const { secret, active_secrets: count } = await events.webhooks.rotate('p', id, 60)
    expect(count).toBe(2)
    await events.raise(revoked('during'))
    await hooks.until(({ accepted }) => accepted.length === 1)
    const [during] = hooks.accepted
    for (const one of [secret, old]) new Webhook(one).verify(during?.text ?? '', { ...during?.headers })
    later = 61_000
    expect(events.webhooks.get('p', id).active_secrets).toBe(1)
    await events.raise(revoked('after'))
    await hooks.until(({ accepted }) => accepted.length === 2)
    expect(hooks.accepted[1]?.headers['webhook-signature']?.split(' ')).toHaveLength(1)
    const leaked = await events.webhooks.rotate('p', id, 0)
    expect(leaked.active_secrets).toBe(1)
  })

  test('are nowhere to be read: not in the store, not in a view, not with another key', async () => {
    const events = await open()
    const { webhook_id: id, secret } = await add(events, 'https://hooks.example.com/', 'key.revoked')
    const bare = secret.slice('whsec_'.length)
    expect(JSON.stringify(await rows(store, 'select record from webhooks'))).not.toContain(bare)
    expect(JSON.stringify([events.webhooks.get('p', id), events.webhooks.list('p')])).not.toMatch(/whsec|sealed/)
    const [record] = await store.events.webhooks.all()
    expect(events.webhooks.secretsOf(record!)).toEqual([secret])
    const other = Buffer.alloc(32, 8).toString('base64url')
    const stranger = await Events.load({ store: store.events, secret: other, allowedRanges: [] })
    expect(stranger.webhooks.secretsOf(record!)).toEqual([])
    expect(events.webhooks.secretsOf({ ...record!, webhook_id: 'wh_other' })).toEqual([])
  })
})

test('without the key of the secrets nothing is sent, until they are rotated', async () => {
  const before = await open()
  const hooks = await receiver()
  const { webhook_id: id } = await add(before, hooks.url, 'key.revoked')
  const other = Buffer.alloc(32, 8).toString('base64url')
  const events = await Events.load({ store: store.events, secret: other, allowedRanges: ['127.0.0.0/8'] })
  start(events)
  await events.raise(revoked('key_1'))
  await hooks.until(() => results.includes('retried'))
  expect(await events.deliveries('p', id, { limit: 1 })).toMatchObject([{ failure: 'secret_unreadable' }])
  expect(hooks.received).toEqual([])
  const { secret } = await events.webhooks.rotate('p', id, 3_600)
  await hooks.until(({ accepted }) => accepted.length === 1)
  for (const { text, headers } of hooks.accepted) new Webhook(secret).verify(text, headers)
})

describe('calls that are written', () => {
  test('raise interaction.evaluated when they are evaluated, with keys and scores and no text', async () => {
    const events = await open()
    const hooks = await receiver()
    await add(events, hooks.url, 'interaction.evaluated')
    start(events)
    const signals = [
      { key: 'sig.a', state: 'present', evidence: [{ turn: 0, quote: 'Secret words' }] },
      { key: 'sig.b', state: 'absent' },
    ]
    await store.calls.upsert('p', [evaluated('s1', 4.5, { signals }), call('not evaluated', { score: 1 })])
    await hooks.until(({ accepted }) => accepted.length === 1)
    expect(hooks.accepted[0]?.data).toEqual({
      session_id: 's1',
      agent_id: 'ana',
      created_dt: '2026-03-01T12:00:00.000Z',
      score: 4.5,
      signals: ['sig.a'],
      guidance: [],
    })
    await store.calls.upsert('p', [evaluated('s1', 4.5, { signals })])
    await store.calls.upsert('p', [evaluated('s1', 2, { signals })])
    await hooks.until(({ accepted }) => accepted.length === 2)
    expect(hooks.received.map(({ data }) => data['score'])).toEqual([4.5, 2])
    expect(hooks.received.map(({ text }) => text).join()).not.toMatch(/Secret|Ana\b/)
  })

  test.runIf(isWhole)('are followed up after a restart, also more than fits in memory at once', async () => {
    const before = await open()
    const hooks = await receiver()
    await add(before, hooks.url, 'interaction.evaluated')
    await store.calls.upsert(
      'p',
      Array.from({ length: 1_100 }, (_, n) => evaluated(`s${n}`, 3)),
    )
    await store.close()
    store = await openStore({ dataDir })
    start(await open())
    await hooks.until(({ accepted }) => accepted.length === 1_100)
    expect(await rows(store, 'select * from noted_calls')).toEqual([])
  })

  test('trigger alerts by signal, score and agent, and then nothing until the cooldown is over', async () => {
    const events = await open()
    const hooks = await receiver()
    await add(events, hooks.url, 'alert.triggered')
    start(events)
    const alert = (fields: object) => events.alerts.add('p', newAlert.parse({ name: 'n', ...fields }), 'ada')
    const low = { kind: 'score_below', threshold: 2 }
    const poor = await alert({ condition: low, cooldown_seconds: 0 })
    const mine = await alert({ condition: low, agents: ['Bo'], cooldown_seconds: 0 })
    const rare = await alert({ condition: { kind: 'signal_present', signal_key: 'sig.escalation' } })
    const escalated = { signals: [{ key: 'sig.escalation', state: 'present' }] }
    const written = async (...calls: Parameters<typeof evaluated>[]) => {
      await store.calls.upsert(
        'p',
        calls.map(args => evaluated(...args)),
      )
    }
    await written(['a', 1.5], ['b', 2], ['c', 1, { agent_name: 'Bo' }], ['d', 4, escalated], ['e', 4, escalated])
    await hooks.until(({ accepted }) => accepted.length === 4)
    const told = () => hooks.accepted.map(({ data }) => `${String(data['alert_id'])} ${String(data['session_id'])}`)
    const expected = [`${poor.alert_id} a`, `${poor.alert_id} c`, `${mine.alert_id} c`, `${rare.alert_id} d`]
    expect(told().toSorted()).toEqual(expected.toSorted())
    await written(['f', 4, escalated])
    while ((await rows(store, 'select * from noted_calls')).length > 0) await setTimeout(20)
    later = 2 * HOUR
    await written(['g', 4, escalated])
    await hooks.until(({ accepted }) => accepted.length === 5)
    expect(told().filter(one => one.startsWith(rare.alert_id))).toEqual([`${rare.alert_id} d`, `${rare.alert_id} g`])
    expect(events.alerts.get('p', rare.alert_id).last_triggered_at).toBeDefined()
    expect((await open()).alerts.get('p', rare.alert_id).last_triggered_at).toBeDefined()
  })
})

const KEY = { source: 'application_key', credential_id: 'key_1' } as const

test('feedback is kept with its text and told without', async () => {
  const events = await open()
  const hooks = await receiver()
  await add(events, hooks.url, 'feedback.created')
  start(events)
  await store.calls.upsert('p', [call('s1')])
  const given = {
    project_id: 'p',
    session_id: 's1',
    about: 'call' as const,
    rating: 2,
    text: 'Secret opinion',
    created_by: 'Dashboard',
    given_with: KEY,
  }
  expect(await events.addFeedback({ ...given, session_id: 'nowhere' })).toBeUndefined()
  const kept = await events.addFeedback({ ...given, agent_id: 'ana' })
  await hooks.until(({ accepted }) => accepted.length === 1)
  const data = { feedback_id: kept?.feedback_id, session_id: 's1', agent_id: 'ana', about: 'call', rating: 2 }
  expect(hooks.received.map(one => one.data)).toEqual([data])
  expect(await events.feedback('p', 's1')).toEqual([kept])
})

test('a call that is forgotten is told to nobody any more', async () => {
  const events = await open()
  let up = false
  const hooks = await receiver(() => (up ? 204 : 500))
  const { webhook_id: id } = await add(events, hooks.url, 'interaction.evaluated')
  start(events)
  await store.calls.upsert('p', [evaluated('erased', 3), evaluated('kept', 3)])
  await hooks.until(({ received }) => new Set(received.map(({ data }) => data['session_id'])).size === 2)
  expect(
    await eraseCalls(
      { calls: store.calls, events, privacy: store.privacy, reports: noReports, recordings: new Recordings(undefined) },
      'p',
      ['erased'],
      {
        by: 'test',
        how: 'call',
      },
    ),
  ).toBe(1)
  up = true
  await hooks.until(({ accepted }) => accepted.length === 1)
  await setTimeout(200)
  expect(hooks.accepted.map(({ data }) => data['session_id'])).toEqual(['kept'])
  expect(await events.deliveries('p', id, { limit: 9 })).toHaveLength(1)
  expect(JSON.stringify(await rows(store, 'select * from event_deliveries', []), String)).not.toContain('erased')
})
