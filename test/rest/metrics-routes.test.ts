import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isLocal } from '../../src/rest/admit.js'
import { adminToken, startApi } from '../support/api.js'

const TOKEN = 'a-token-of-the-metrics'

describe('GET /metrics', () => {
  let api: Awaited<ReturnType<typeof startApi>>
  beforeAll(async () => {
    api = await startApi({ metricsToken: TOKEN })
  })
  afterAll(() => api.server.close())

  const read = async (headers: Record<string, string> = {}) => {
    const response = await fetch(`${api.url}/metrics`, { headers })
    return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
  }

  test('answers this machine in the text format, unasked for a token', async () => {
    expect(await read()).toEqual({
      status: 200,
      type: 'text/plain; version=0.0.4; charset=utf-8',
      text: 'earshot_keys 1\n',
    })
  })

  test('takes what comes through a proxy as coming from elsewhere', async () => {
    const refused = await read({ 'x-forwarded-for': '127.0.0.1' })
    expect(refused).toMatchObject({ status: 401, text: expect.stringContaining('Authentication required') })
    expect(await read({ 'x-real-ip': '1.2.3.4', authorization: `Bearer ${TOKEN}` })).toMatchObject({ status: 200 })
  })

  test.each([
    ['a wrong token', async () => 'another-token-of-metrics'],
    ['an admin token', () => adminToken()],
  ])('refuses %s, from this machine too', async (_, token) => {
    const refused = await read({ authorization: `Bearer ${await token()}` })
    expect(refused.status).toBe(401)
    expect(refused.text).toContain('Invalid metrics token')
  })
})

test.each([
  ['127.0.0.1', {}, true],
  ['::1', {}, true],
  ['::ffff:127.0.0.1', {}, true],
  ['10.0.0.7', {}, false],
  ['127.0.0.1', { forwarded: 'for=1.2.3.4' }, false],
  ['', {}, false],
])('a request from %s with %j is local: %s', (remoteAddress, headers, local) => {
  expect(isLocal({ socket: { remoteAddress } as never, headers })).toBe(local)
})

describe('what the API listener measures and puts on record', () => {
  test('is the route, the outcome and the code; never the path', async () => {
    const api = await startApi()
    const as = await adminToken('p1')
    const minted = await api.call('POST', '/projects/p1/mcp-keys', { as, body: { name: 'Bot' } })
    await api.call('GET', `/projects/p1/mcp-keys/${minted.json.key_id}`, { as })
    await api.call('GET', '/projects/p1/mcp-keys/nope', { as })
    await api.call('GET', '/projects/p1/mcp-keys')
    await api.call('GET', '/nowhere/at/all')
    await expect.poll(() => api.meter.requests.length).toBe(5)
    expect(api.meter.requests).toMatchObject([
      { transport: 'rest', page: 'POST /projects/:project_id/mcp-keys', outcome: 'ok' },
      { transport: 'rest', page: 'GET /projects/:project_id/mcp-keys/:key_id', outcome: 'ok' },
      { transport: 'rest', page: 'GET /projects/:project_id/mcp-keys/:key_id', outcome: 'refused', code: 'not_found' },
      { transport: 'rest', page: 'GET /projects/:project_id/mcp-keys', outcome: 'refused', code: 'unauthenticated' },
      { transport: 'rest', page: 'none', outcome: 'refused', code: 'not_found' },
    ])

    expect(api.trail.events).toHaveLength(3)
    expect(api.trail.events[0]).toMatchObject({
      request_id: minted.headers.get('x-request-id'),
      source: 'admin_token',
      credential_id: 'ada',
      name: 'ada@example.com',
      project_id: 'p1',
      transport: 'rest',
      page: 'POST /projects/:project_id/mcp-keys',
      outcome: 'ok',
      status: 201,
    })
    expect(api.trail.events[2]).toMatchObject({ outcome: 'refused', code: 'not_found', status: 404 })
    expect(JSON.stringify(api.trail.events)).not.toContain(minted.json.key)
    const ids = api.lines.map(line => (JSON.parse(line) as { request_id: string }).request_id)
    expect(ids).toContain(minted.headers.get('x-request-id'))
    await api.server.close()
  })

  test('what machines ask every few seconds is no part of the log while all is well', async () => {
    const api = await startApi()
    await api.call('GET', '/health')
    await api.call('GET', '/health/nothing')
    await expect.poll(() => api.meter.requests.length).toBe(2)
    await api.server.close()
    const logged = api.lines.map(line => (JSON.parse(line) as { path?: string }).path)
    expect(logged).toContain('(no route)')
    expect(logged).not.toContain('/health')
  })

  test('the log names the route, not the call that was asked for', async () => {
    const access = await startApi()
    const as = await adminToken('p1')
    await access.call('GET', '/projects/p1/mcp-keys/key_4711?include_revoked=true', { as })
    await access.call('GET', '/projects/p1/nothing/key_4711', { as })
    await expect.poll(() => access.meter.requests.length).toBe(2)
    await access.server.close()
    const logged = access.lines.map(line => (JSON.parse(line) as { path?: string }).path)
    expect(logged).toEqual(['/projects/:project_id/mcp-keys/:key_id', '(no route)'])
    expect(access.lines.join('')).not.toContain('4711')
  })

  test('no answer leaves while the audit trail is out', async () => {
    const api = await startApi()
    api.trail.out = true
    const refused = await api.call('POST', '/projects/p1/mcp-keys', {
      as: await adminToken('p1'),
      body: { name: 'Bot' },
    })
    expect(refused).toMatchObject({ status: 503, json: { code: 'store_unavailable' } })
    expect(api.keys.list('p1', { includeRevoked: true })).toEqual([])
    expect((await api.call('GET', '/health')).status).toBe(200)
    await api.server.close()
  })
})
