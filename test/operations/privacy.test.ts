import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { adminToken } from '../support/api.js'
import { startCallsApi } from '../support/calls-api.js'

/** What a privacy office does: find, report and erase a customer; legal holds; the log of erasures. */

let api: Awaited<ReturnType<typeof startCallsApi>>
let admin: string
let key: string
const NDJSON = { 'content-type': 'application/x-ndjson' }

const call = (id: string, more: object = {}) => ({
  session_id: id,
  agent_name: 'Ana',
  created_dt: `2026-01-0${1 + (id.length % 9)}T10:00:00Z`,
  transcript: [{ turn: 0, actor: 'customer', text: 'Hello there' }],
  ...more,
})
const store = (...calls: readonly object[]) =>
  api.call('POST', '/api/v1/interactions', {
    as: key,
    body: calls.map(one => JSON.stringify(one)).join('\n'),
    headers: NDJSON,
  })
const post = (path: string, body: object, as = key) => api.call('POST', `/api/v1/${path}`, { as, body })
const ids = async () => {
  const { json } = await api.call('GET', '/api/v1/interactions?limit=100', { as: key })
  return (json.interactions as readonly { session_id: string }[]).map(({ session_id: id }) => id).toSorted()
}
const hold = async (body: object) => String((await post('holds', body, admin)).json.hold_id)
const release = (id: string) => api.call('DELETE', `/api/v1/holds/${id}`, { as: admin })

beforeAll(async () => {
  api = await startCallsApi()
  admin = await adminToken()
  key = await api.mint()
})
afterAll(() => api.close())

const arden = { customer: ' arden QUIGLEY ' }

describe('a customer', () => {
  test('is found by name or field, in whatever case, and by nothing else', async () => {
    const stored = await store(
      call('a1', { customer_display_name: 'Arden Quigley' }),
      call('a22', { session_metadata: { customer_display_name: 'ARDEN quigley' } }),
      call('b1', { customer_display_name: 'Arden Quigley-Jones', session_metadata: { crm_id: 4711 } }),
      call('b2', { session_metadata: { 'crm id': 'X"y' } }),
      call('c1', { customer_display_name: 'Bo' }),
    )
    expect(stored.json).toMatchObject({ stored: 5 })
    const found = async (body: object) =>
      ((await post('customers/find', body)).json.calls as readonly { session_id: string }[]).map(one => one.session_id)
    expect(await found(arden)).toEqual(['a1', 'a22'])
    expect(await found({ field: 'crm_id', value: '4711' })).toEqual(['b1'])
    expect(await found({ field: 'crm id', value: 'x"Y' })).toEqual(['b2'])
    expect(await found({ customer: '%' })).toEqual([])
    for (const body of [
      {},
      { field: 'crm_id' },
      { ...arden, field: 'crm_id', value: '1' },
      { field: 'a"b', value: '1' },
    ])
      // oxlint-disable-next-line no-await-in-loop -- a few
      expect((await post('customers/find', body)).status).toBe(422)
  })

  test('is reported whole, with feedback', async () => {
    await post('interactions/a1/feedback', { rating: 2, text: 'Slow' })
    const { json } = await post('customers/report', arden)
    expect(json).toMatchObject({
      count: 2,
      calls: [
        {
          call: { session_id: 'a1', transcript: [{ text: 'Hello there' }] },
          held: false,
          feedback: [{ text: 'Slow' }],
        },
        { call: { session_id: 'a22' }, held: false, feedback: [] },
      ],
    })
  })

  test('is erased as listed: what came since is read first, what is held stays, and the log says no name', async () => {
    const before = await post('customers/find', arden)
    await store(call('a333', { customer_display_name: 'Arden Quigley' }))
    const late = await post('customers/erase', { ...arden, confirm: before.json.confirm })
    expect(late).toMatchObject({ status: 409, json: { error: expect.stringContaining('list them again') } })
    expect(await ids()).toContain('a1')
    const kept = await hold({ name: 'Matter 1', session_ids: ['a22', 'nowhere'] })
    const { json: listed } = await post('customers/find', arden)
    expect(listed).toMatchObject({ count: 3, held: 1 })
    const erased = await post('customers/erase', { ...arden, confirm: listed.confirm })
    expect(erased.json).toEqual({ erased: 2, held: 1 })
    expect(await ids()).toEqual(['a22', 'b1', 'b2', 'c1'])
    expect((await store(call('a1'))).json.error).toContain('was erased on request')
    const log = await api.call('GET', '/api/v1/erasures', { as: admin })
    expect(log.json.erasures).toMatchObject([{ how: 'customer', calls: 2 }])
    expect(log.text).not.toMatch(/arden|a1|a333/i)
    await release(kept)
  })
})

describe('a legal hold', () => {
  test('keeps calls from every way of erasing, later ones of the customer included, until it is released', async () => {
    const held = await hold({ name: 'Matter 2', customer: 'Bo' })
    const other = await hold({ name: 'Matter 3', field: 'crm_id', value: '4711' })
    await store(call('c22', { customer_display_name: 'bo' }), call('d1'))
    const refused = await api.call('DELETE', '/api/v1/interactions/c22', { as: key })
    expect(refused).toMatchObject({ status: 409, json: { error: expect.stringContaining('legal hold') } })
    expect(refused.text).not.toMatch(/matter|bo\b/i)
    expect((await api.call('DELETE', '/api/v1/interactions/nowhere', { as: key })).status).toBe(404)
    const now = Date.parse('2027-01-01')
    // Retention erases what it finds, and goes on until it finds none.
    expect((await api.store.calls.olderThan('p1', now, { limit: 100 })).toSorted()).toEqual(['a22', 'b2', 'd1'])
    expect(await api.store.calls.eraseTranscripts('p1', ['c1', 'c22', 'b1', 'd1'])).toBe(1)
    // Also where one was placed behind whoever looked.
    expect(await api.store.calls.eraseAll('p1', ['c1', 'c22', 'b1'])).toBe(0)
    // Nor is one replaced by what comes in under its id, which is told.
    const again = await store(call('c22', { title: 'Something else' }))
    expect(again).toMatchObject({ status: 422, json: { error: expect.stringContaining('legal hold') } })
    expect((await api.call('GET', '/api/v1/interactions/c22', { as: key })).json).not.toHaveProperty(
      'title',
      'Something else',
    )
    const { json } = await api.call('GET', '/api/v1/holds', { as: admin })
    expect(json.holds).toMatchObject([
      { name: 'Matter 2', calls: 2, customer: 'Bo' },
      { name: 'Matter 3', calls: 1 },
    ])
    await release(other)
    expect((await release(other)).status).toBe(404)
    expect((await api.call('DELETE', '/api/v1/interactions/b1', { as: key })).status).toBe(204)
    await release(held)
    expect((await api.call('DELETE', '/api/v1/interactions/c22', { as: key })).status).toBe(204)
  })

  test('is of its project, and no key may place or see one, or the log', async () => {
    const elsewhere = await adminToken('p2')
    const held = await hold({ name: 'Matter 4', session_ids: ['c1'] })
    expect((await api.call('GET', '/api/v1/holds', { as: elsewhere })).json).toEqual({ holds: [] })
    expect((await api.call('DELETE', `/api/v1/holds/${held}`, { as: elsewhere })).status).toBe(404)
    expect((await api.call('GET', '/api/v1/erasures', { as: elsewhere })).json).toEqual({ erasures: [] })
    for (const [method, path] of [
      ['GET', 'holds'],
      ['DELETE', `holds/${held}`],
      ['GET', 'erasures'],
    ] as const)
      // oxlint-disable-next-line no-await-in-loop -- three
      expect((await api.call(method, `/api/v1/${path}`, { as: key })).status).toBe(403)
    const narrow = await api.mint({ allowed_agents: ['Ana'] })
    for (const path of ['find', 'report'])
      // oxlint-disable-next-line no-await-in-loop -- two
      expect((await post(`customers/${path}`, arden, narrow)).status).toBe(403)
    await release(held)
  })
})
