import { beforeEach, describe, expect, test } from 'vitest'
import type { NewDelivery, NotedCall } from '../../../src/store/event-store.js'
import type { WebhookRecord } from '../../../src/store/records/webhook.js'
import type { Store } from '../../../src/store/store.js'
import { call, openStore, tempDir } from './support.js'

const webhook: WebhookRecord = {
  webhook_id: 'wh_1',
  project_id: 'p',
  url: 'https://hooks.example.com/',
  events: ['key.minted'],
  active: true,
  secrets: [],
  created_at: '2026-03-01T00:00:00.000Z',
  created_by: 'ada',
}

function delivery(n: number, more: Partial<NewDelivery> = {}): NewDelivery {
  return {
    delivery_id: `dlv_${n}`,
    project_id: 'p',
    webhook_id: 'wh_1',
    event_id: `evt_${n}`,
    event: 'interaction.evaluated',
    subject: 'call/a',
    body: `{"n":${n},"text":"é ' \\" end"}`,
    created_at: '2026-03-01T00:00:00.000Z',
    expires_at: '2026-03-02T00:00:00.000Z',
    ...more,
  }
}

const attempt = (seq: number, state: 'pending' | 'delivered' | 'dead') => ({
  seq,
  state,
  attempts: 1,
  next_at: '2026-03-01T00:01:00.000Z',
  attempted_at: '2026-03-01T00:00:01.000Z',
  duration_ms: 12.5,
  ...(state === 'delivered' ? { status: 200 } : { failure: 'timeout' }),
})

let dataDir: string
let store: Store
beforeEach(async () => {
  dataDir = tempDir()
  store = await openStore({ dataDir })
})

async function reopen(): Promise<Store> {
  await store.close()
  return await openStore({ dataDir })
}

describe('the outbox', () => {
  test('keeps deliveries in the order they came, byte for byte, over a restart', async () => {
    const many = Array.from({ length: 3_000 }, (_, n) => delivery(n))
    await store.events.deliveries.add(many)
    store = await reopen()
    await store.events.deliveries.add([delivery(3_000)])
    const pending = await store.events.deliveries.pending('wh_1', 0, 5_000)
    expect(pending.map(({ body }) => body)).toEqual([...many, delivery(3_000)].map(({ body }) => body))
    expect(pending.map(({ seq }) => seq)).toEqual(pending.map((_, n) => n + 1))
    expect(await store.events.deliveries.pending('wh_1', 2_999, 1)).toMatchObject([{ delivery_id: 'dlv_2999' }])
  })

  test('what was settled is history, without its body', async () => {
    await store.events.deliveries.add([delivery(1), delivery(2), delivery(3)])
    await store.events.deliveries.settle([attempt(1, 'delivered'), attempt(2, 'dead'), attempt(3, 'pending')])
    expect(await store.events.deliveries.pending('wh_1', 0, 9)).toMatchObject([{ seq: 3, attempts: 1 }])
    const history = await store.events.deliveries.list('p', 'wh_1', { limit: 9 })
    expect(history.map(({ state, status, failure }) => [state, status, failure])).toEqual([
      ['pending', undefined, 'timeout'],
      ['dead', undefined, 'timeout'],
      ['delivered', 200, undefined],
    ])
    expect(JSON.stringify(history)).not.toContain('text')
    expect(await store.events.deliveries.list('other', 'wh_1', { limit: 9 })).toEqual([])
    expect(await store.events.deliveries.list('p', 'wh_1', { limit: 9, before: 2 })).toMatchObject([{ seq: 1 }])
    expect(await store.events.deliveries.counts()).toEqual({ pending: 1, delivered: 1, dead: 1 })
    expect(await store.events.deliveries.removeSettled('2026-03-01T00:00:02.000Z')).toBe(2)
  })

  test('dead letters go back to the end of the queue, with a number that is new', async () => {
    await store.events.deliveries.add([delivery(1), delivery(2), delivery(3)])
    await store.events.deliveries.settle([attempt(1, 'dead'), attempt(2, 'delivered'), attempt(3, 'dead')])
    const again = { projectId: 'p', webhookId: 'wh_1', now: '2026-03-03T00:00:00.000Z', expiresAt: '2026-03-04' }
    expect(await store.events.deliveries.requeue({ ...again, projectId: 'other' })).toBe(0)
    expect(await store.events.deliveries.requeue(again)).toBe(2)
    expect(await store.events.deliveries.requeue(again)).toBe(0)
    expect(await store.events.deliveries.requeue({ ...again, deliveryId: 'dlv_2' })).toBe(1)
    const pending = await store.events.deliveries.pending('wh_1', 3, 9)
    expect(pending.map(({ delivery_id, seq, attempts }) => [delivery_id, seq, attempts])).toEqual([
      ['dlv_1', 4, 0],
      ['dlv_3', 5, 0],
      ['dlv_2', 6, 0],
    ])
  })
})

describe('calls that were written', () => {
  const evaluated = (id: string, score: number) =>
    call(id, { score, evaluation: { evaluator: 'rules' }, signals: [{ key: 'sig.x', state: 'present' }] })
  const take = async () => {
    const taken: NotedCall[] = []
    await store.events.noted.take(100, calls => {
      taken.push(...calls)
      return { deliveries: [], alerts: [] }
    })
    return taken.map(({ session_id, score, evaluated, signals }) => [session_id, score, evaluated, signals])
  }

  test('are noted where somebody wants to know, and only when something changed', async () => {
    await store.calls.upsert('p', [evaluated('before', 4)])
    await store.events.webhooks.put(webhook)
    await store.calls.upsert('p', [evaluated('a', 4), call('b', {})])
    await store.calls.upsert('other', [evaluated('c', 4)])
    expect(await take()).toEqual([
      ['a', 4, true, ['sig.x']],
      ['b', undefined, false, []],
    ])
    await store.calls.upsert('p', [evaluated('a', 4), evaluated('before', 4)])
    expect(await take()).toEqual([])
    await store.calls.upsert('p', [evaluated('a', 3)])
    await store.calls.upsert('p', [evaluated('a', 2)])
    expect(await take()).toEqual([['a', 2, true, ['sig.x']]])
  })

  test('stay noted when what follows could not be written', async () => {
    await store.events.webhooks.put(webhook)
    await store.calls.upsert('p', [evaluated('a', 4)])
    const failing = store.events.noted.take(10, () => {
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    store = await reopen()
    expect(await take()).toHaveLength(1)
  })
})

test('of an erased call nothing is left: outbox, dead letters, notes and feedback', async () => {
  await store.events.webhooks.put(webhook)
  await store.calls.upsert('p', [call('a', {}), call('b', {})])
  const feedback = {
    feedback_id: 'f',
    project_id: 'p',
    about: 'call' as const,
    rating: 4,
    text: 'x',
    created_at: '2026',
    created_by: 'k',
  }
  expect(await store.events.feedback.add({ ...feedback, session_id: 'nowhere' }, [delivery(9)])).toBe(false)
  expect(await store.events.feedback.add({ ...feedback, session_id: 'a' }, [delivery(1)])).toBe(true)
  expect(await store.events.feedback.add({ ...feedback, session_id: 'b' }, [])).toBe(true)
  await store.events.deliveries.add([delivery(2), delivery(3, { subject: 'call/b' })])
  await store.events.deliveries.settle([attempt(2, 'dead')])
  await store.calls.erase('p', 'a')
  expect(await store.events.feedback.of('p', 'a')).toEqual([])
  expect(await store.events.feedback.of('p', 'b')).toHaveLength(1)
  expect(await store.events.deliveries.list('p', 'wh_1', { limit: 9 })).toMatchObject([{ delivery_id: 'dlv_3' }])
  const taken: string[] = []
  await store.events.noted.take(9, calls => {
    taken.push(...calls.map(({ session_id }) => session_id))
    return { deliveries: [], alerts: [] }
  })
  expect(taken).toEqual(['b'])
})

test('feedback is read through in pages, and kept as it was given once, on calls that are there', async () => {
  const calls = Array.from({ length: 5 }, (_, n) => call(`call ${n}`))
  await store.calls.upsert('p', calls)
  await store.calls.upsert('q', calls)
  const given = Array.from({ length: 23 }, (_, n) => ({
    session_id: `call ${n % 5}`,
    feedback_id: `f${String(n).padStart(2, '0')}`,
    about: 'call' as const,
    rating: 1 + (n % 5),
    // Several of one instant: their ids put them in order.
    created_at: `2026-03-01T00:00:0${Math.floor(n / 6)}.000Z`,
    created_by: 'Ann "A"',
    ...(n % 2 === 0 && { text: `é '${n}` }),
  }))
  const lost = { ...given[0]!, feedback_id: 'lost', session_id: 'nowhere' }
  const { feedback } = store.events
  expect(await feedback.restore('p', [lost, ...given.toReversed()])).toEqual({ added: 23, without_call: ['lost'] })
  expect(await feedback.restore('p', given)).toEqual({ added: 0, without_call: [] })
  expect(await feedback.restore('p', [])).toEqual({ added: 0, without_call: [] })
  // Another project may hold a copy.
  expect(await feedback.restore('q', given.slice(0, 2))).toEqual({ added: 2, without_call: [] })
  const read = []
  for (let last; ;) {
    const some = await feedback.page('p', last, 5)
    read.push(...some)
    last = some.at(-1)
    if (last === undefined) break
  }
  expect(read).toEqual(given.map(one => ({ project_id: 'p', ...one })))
})
