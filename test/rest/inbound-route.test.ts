import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { adminToken } from '../support/api.js'
import { startCallsApi } from '../support/calls-api.js'

/** Calls that other products send as they happen. */

let api: Awaited<ReturnType<typeof startCallsApi>>
let admin: string
let key: string
let now = Date.now()

beforeAll(async () => {
  api = await startCallsApi({ clock: () => now, failuresPerMinute: 10_000 })
  admin = await adminToken()
  key = await api.mint()
})
afterAll(() => api.close())

interface Added {
  readonly webhook_id: string
  readonly path: string
  readonly secret?: string
}
const add = async (body: object) => {
  const answer = await api.call('POST', '/api/v1/inbound-webhooks', { as: admin, body })
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)])
  return answer.json as unknown as Added
}
async function send(path: string, body: string, headers: Readonly<Record<string, string>>) {
  const response = await fetch(`${api.url}${path}`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  })
  return { status: response.status, json: (await response.json()) as Record<string, unknown> }
}
const stored = async (id: string) => (await api.call('GET', `/api/v1/interactions/${id}`, { as: key })).status
const call = (id: string, more: object = {}) =>
  JSON.stringify({ session_id: id, agent_name: 'Ana', created_dt: '2026-01-01T10:00:00Z', ...more })
const genesys = (body: string, secret = '') => ({
  'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('base64')}`,
})

describe('a request', () => {
  test('that is signed brings a call, once, and each to the project of its webhook', async () => {
    const { path, secret = '' } = await add({ name: 'PBX', kind: 'standard' })
    expect(secret).toMatch(/^whsec_/)
    const signed = (id: string, body: string) => {
      const at = new Date()
      return send(path, body, {
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': new Webhook(secret).sign(id, at, body),
      })
    }
    expect(await signed('msg_1', call('s1'))).toMatchObject({ status: 200, json: { stored: 1 } })
    expect(await stored('s1')).toBe(200)
    await api.call('DELETE', '/api/v1/interactions/s1', { as: key })
    // The same again, as a sender tries or somebody else who listened.
    expect(await signed('msg_1', call('s1'))).toEqual({ status: 200, json: { repeated: true } })
    expect(await stored('s1')).toBe(404)
    const elsewhere = await api.call('GET', '/api/v1/interactions/s1', { as: await adminToken('p2') })
    expect(elsewhere.status).toBe(404)
  })

  test('that can’t be taken may be sent again', async () => {
    const { path, secret = '' } = await add({ name: 'G', kind: 'genesys' })
    const body = '{"neither": "a call"}'
    expect((await send(path, body, genesys(body, secret))).status).toBe(422)
    expect((await send(path, body, genesys(body, secret))).status).toBe(422)
    const good = call('s2')
    expect((await send(path, good, genesys(good, secret))).json).toMatchObject({ stored: 1 })
    expect((await send(path, good, genesys(good, secret))).json).toEqual({ repeated: true })
    // Sent several times at once it is taken once.
    const again = call('s2b')
    const sent = await Promise.all([1, 2, 3].map(() => send(path, again, genesys(again, secret))))
    expect(sent.filter(({ json }) => json['repeated'] !== true)).toHaveLength(1)
    // What has no time is known for a month.
    now += 31 * 24 * 3_600_000
    const other = call('s3')
    expect((await send(path, other, genesys(other, secret))).json).toMatchObject({ stored: 1 })
    expect((await send(path, good, genesys(good, secret))).json).toMatchObject({ stored: 1 })
  })

  test('is read by a saved mapping, as it says at the time', async () => {
    const map = [
      'session_id=id',
      'agent_name=agent.name',
      'created_dt=at',
      'turns=lines',
      'turn.text=words',
      'turn.speaker=who',
    ]
    const put = (body: object) =>
      api.call('POST', '/api/v1/mappings', { as: admin, body: { mapping_id: 'dialer', ...body } })
    expect((await put({ map })).status).toBe(200)
    const { path } = await add({ name: 'T', kind: 'twilio', secret: 'twilio-auth-token-1', mapping: 'dialer' })
    const body = JSON.stringify({
      id: 's4',
      agent: { name: 'Bo' },
      at: '2026-01-02T10:00:00Z',
      lines: [
        { who: 'agent', words: 'Hello' },
        { who: 'customer', words: 'Hi' },
      ],
    })
    const { host } = new URL(api.url)
    const hash = await crypto.subtle.digest('SHA-256', Buffer.from(body))
    const asked = `${path}?bodySHA256=${Buffer.from(hash).toString('hex')}`
    const signature = createHmac('sha1', 'twilio-auth-token-1').update(`https://${host}${asked}`).digest('base64')
    expect(await send(asked, body, { 'x-twilio-signature': signature })).toMatchObject({
      status: 200,
      json: { stored: 1 },
    })
    const { json } = await api.call('GET', '/api/v1/interactions/s4', { as: key })
    expect(json).toMatchObject({ agent_name: 'Bo', transcript: [{ text: 'Hello' }, { text: 'Hi' }] })
  })

  test('that is not signed, or for nobody, is refused alike, and on record only by who it is for', async () => {
    const { path, webhook_id: id, secret = '' } = await add({ name: 'E', kind: 'eventbridge' })
    const refused = [
      await send(path, call('s5'), {}),
      await send(path, call('s5'), { 'x-api-key': 'a-wrong-key' }),
      await send('/hooks/in_00', call('s5'), { 'x-api-key': secret }),
      await send('/hooks/__proto__', call('s5'), { 'x-api-key': secret }),
    ]
    for (const { status, json } of refused) {
      expect([status, json['error']]).toEqual([401, 'No webhook here takes a request with this signature'])
    }
    expect(await stored('s5')).toBe(404)
    const lines = api.record.filter(one => one.credential_id === id)
    expect(lines.map(({ outcome, page }) => [outcome, page])).toEqual([
      ['refused', 'POST /hooks/:webhook_id'],
      ['refused', 'POST /hooks/:webhook_id'],
    ])
    const good = { 'x-api-key': secret }
    expect((await send(path, call('s5'), { ...good, 'content-encoding': 'gzip' })).status).toBe(415)
    expect((await send(path, `"${'x'.repeat(1_100_000)}"`, good)).status).toBe(413)
    expect((await send(path, call('s5'), good)).status).toBe(200)
    // It adds calls and hears none.
    const asked = await fetch(`${api.url}/api/v1/interactions`, { headers: { authorization: `Bearer ${secret}` } })
    expect(asked.status).toBe(401)
    expect((await api.call('DELETE', `/api/v1/inbound-webhooks/${id}`, { as: admin })).status).toBe(204)
    expect((await send(path, call('s6'), good)).status).toBe(401)
  })
})

test('a webhook shows its secret once, belongs to its project, and is an administrator’s to make', async () => {
  const { webhook_id: id, secret = '' } = await add({ name: 'Once', kind: 'genesys' })
  const listed = await api.call('GET', '/api/v1/inbound-webhooks', { as: admin })
  expect(listed.text).toContain(id)
  expect(listed.text).not.toContain(secret)
  expect(JSON.stringify(await api.store.imports.inbound.all())).not.toContain(secret)
  const wrong = async (body: object, as = admin) =>
    (await api.call('POST', '/api/v1/inbound-webhooks', { as, body })).status
  expect(await wrong({ name: 'T', kind: 'twilio' })).toBe(422)
  // Checked when it is given: what it can't sign by would be refused at each request.
  expect(await wrong({ name: 'S', kind: 'standard', secret: 'no base64 !!!!!!!!!!'.replaceAll(' ', '-') })).toBe(422)
  expect(await wrong({ name: 'T', kind: 'standard', mapping: 'nothing' })).toBe(404)
  expect(await wrong({ name: 'T', kind: 'standard', secret: 'short' })).toBe(422)
  expect(await wrong({ name: 'T', kind: 'standard' }, key)).toBe(403)
  const other = await adminToken('p2')
  expect((await api.call('DELETE', `/api/v1/inbound-webhooks/${id}`, { as: other })).status).toBe(404)
  expect((await api.call('GET', '/api/v1/inbound-webhooks', { as: other })).text).not.toContain(id)
})

test('a mapping is saved under its name, counts less than what is said beside it, and is of its project', async () => {
  const put = (name: string, body: object, as = admin) =>
    api.call('POST', '/api/v1/mappings', { as, body: { mapping_id: name, ...body } })
  expect((await put('a', { map: ['agent_name=metadata.agnt.'] })).status).toBe(422)
  expect((await put('a', { map: ['agnt_name=x'] })).json['error']).toContain('did you mean "agent_name"')
  expect((await put('a', { map: [], time_zone: 'Nowhere' })).status).toBe(422)
  expect((await put('a', { map: ['agent_name=who', 'created_dt=at'], time_zone: 'Europe/Berlin' })).status).toBe(200)
  expect((await put('a', { map: [] }, key)).status).toBe(403)
  const post = (query: string) =>
    api.call('POST', `/api/v1/transcripts?${query}`, {
      as: key,
      body: {
        who: 'Cem',
        at: '2026-07-01 12:00',
        messages: [
          { role: 'agent', content: 'Hello' },
          { role: 'user', content: 'Hi' },
        ],
      },
    })
  expect((await post('session_id=m1&mapping=a')).json).toMatchObject({ stored: 1 })
  expect((await api.call('GET', '/api/v1/interactions/m1', { as: key })).json).toMatchObject({
    agent_name: 'Cem',
    created_dt: '2026-07-01T10:00:00.000Z',
  })
  expect((await post('session_id=m2&mapping=a&agent_name=Dee&time_zone=UTC')).json).toMatchObject({ stored: 1 })
  expect((await api.call('GET', '/api/v1/interactions/m2', { as: key })).json).toMatchObject({
    agent_name: 'Dee',
    created_dt: '2026-07-01T12:00:00.000Z',
  })
  const missing = await post('session_id=m3&mapping=b')
  expect([missing.status, missing.json['error']]).toEqual([404, 'Mapping not found: "b" (saved: "a", "dialer")'])
  expect((await api.call('GET', '/api/v1/mappings/a', { as: await adminToken('p2') })).status).toBe(404)
  expect((await api.call('DELETE', '/api/v1/mappings/a', { as: admin })).status).toBe(204)
  expect((await api.call('GET', '/api/v1/mappings', { as: key })).json).toMatchObject({
    mappings: [{ mapping_id: 'dialer' }],
  })
})
