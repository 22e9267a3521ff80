import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LoopTurns } from '../../src/admission/loop-turns.js'
import { Shares } from '../../src/admission/shares.js'
import { adminToken } from '../support/api.js'
import { startCallsApi } from '../support/calls-api.js'
import { KeptTrail } from '../support/kept-trail.js'

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

describe('whoever knows the address of a webhook', () => {
  const NOBODY = '/hooks/in_00'
  const started = async (options: Parameters<typeof startCallsApi>[0], kind = 'eventbridge') => {
    const served = await startCallsApi(options)
    const added = await served.call('POST', '/api/v1/inbound-webhooks', { as: admin, body: { name: 'W', kind } })
    const { path, webhook_id: id, secret = '' } = added.json as unknown as Added
    const post = async (
      to: string,
      headers: Readonly<Record<string, string>>,
      body: string | ReadableStream = call('f1'),
    ) => {
      const answer = await fetch(`${served.url}${to}`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', ...headers },
        duplex: 'half',
      })
      return `${answer.status} ${((await answer.json()) as { error?: string }).error ?? ''}`
    }
    return { served, path, id, secret, post }
  }
  const WRONG = '401 No webhook here takes a request with this signature'

  test('guesses as often as failures are let through, and takes nothing of its sender’s rate', async () => {
    const { served, path, id, secret, post } = await started({ failuresPerMinute: 4, requestsPerMinute: 2 })
    const guesses: string[] = []
    for (const to of [path, NOBODY, path, NOBODY, path, NOBODY, path]) {
      guesses.push(await post(to, { 'x-api-key': 'a-wrong-key' }))
    }
    const limited = '429 Too many requests: at most 4 failed authentications a minute per address'
    expect(guesses).toEqual([WRONG, WRONG, WRONG, WRONG, limited, limited, limited])
    expect(await post(path, { 'x-api-key': secret })).toBe('200 ')
    expect(await post(path, { 'x-api-key': secret })).toBe('200 ')
    const spent = '429 Too many requests: at most 2 requests a minute per key'
    expect(await post(path, { 'x-api-key': secret })).toBe(spent)
    const outcomes = served.record.filter(one => one.credential_id === id).map(({ status }) => status)
    expect(outcomes).toEqual([401, 401, 200, 200, 429])
    await served.close()
  })

  test('can’t tell it from one that is not there by anything it sends', async () => {
    const { served, path, post } = await started({ failuresPerMinute: 1_000 })
    const large = `"${'x'.repeat(1_100_000)}"`
    const tries: readonly (readonly [Readonly<Record<string, string>>, string?])[] = [
      [{}],
      [{ 'content-encoding': 'gzip' }],
      [{ 'content-type': 'text/plain', 'x-api-key': '' }],
      [{ 'x-api-key': 'a-wrong-key' }, large],
      [{}, ''],
    ]
    for (const [headers, body] of tries) expect(await post(path, headers, body)).toBe(await post(NOBODY, headers, body))
    expect(await post(path, { 'content-encoding': 'gzip' })).toBe(WRONG)
    await served.close()
  })

  test('can’t tell it by how long an answer waits for its line either, nor where lines can’t be written', async () => {
    const trail = new KeptTrail()
    const { served, path, post } = await started({ trail })
    trail.out = true
    expect([await post(path, {}), await post(NOBODY, {})]).toEqual([WRONG, WRONG])
    await served.close()
  })

  test('can’t tell it by the time that looking at a signature takes: refusals come at a beat', async () => {
    const { served, path, post } = await started({ failuresPerMinute: 1_000 })
    for (const where of [path, NOBODY]) {
      const began = performance.now()
      expect(await post(where, {})).toBe(WRONG)
      expect(performance.now() - began).toBeGreaterThan(24)
    }
    await served.close()
  })

  test('is refused what there is no room for before it is read, also where it does not say its length', async () => {
    const room = 1_000
    const bodies = new Shares({ what: 'bytes', all: room, ofProject: room, ofKey: room, first: 0 })
    const { served, path, secret, post } = await started({ admission: { bodies, turns: new LoopTurns() } })
    const long = call('f2', { title: 'x'.repeat(2 * room) })
    const unsaid = () => new Blob([long]).stream()
    for (const to of [path, NOBODY]) {
      expect(await post(to, { 'x-api-key': secret }, long)).toMatch(/^429 Too many bytes/)
      expect(await post(to, { 'x-api-key': secret }, unsaid())).toMatch(/^429 Too many bytes/)
    }
    expect(await post(path, { 'x-api-key': secret })).toBe('200 ')
    await expect.poll(() => bodies.taken).toBe(0)
    await served.close()
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
