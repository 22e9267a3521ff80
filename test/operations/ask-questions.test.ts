import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { adminToken, overseeing, superToken } from '../support/api.js'
import { startCallsApi } from '../support/calls-api.js'
import { isWhole } from '../support/whole.js'

const call = (id: string, agent: string, more: object = {}) => ({
  session_id: id,
  agent_id: agent.toLowerCase(),
  agent_name: agent,
  created_dt: '2026-03-01T10:00:00.000Z',
  ...more,
})

const calls = [call('a/1 ä', 'Ana', { score: 4, title: 'Card lost' }), call('b', 'Ben', { score: 2 }), call('c', 'Ben')]

let api: Awaited<ReturnType<typeof startCallsApi>>
let key: string
let ben: string
beforeAll(async () => {
  api = await startCallsApi()
  key = await api.mint()
  ben = await api.mint({ allowed_agents: ['Ben'], roles: [] })
  await api.call('POST', '/api/v1/interactions', { as: key, body: calls })
})
afterAll(() => api.close())

const get = (path: string, as = key, headers: Record<string, string> = {}) => api.call('GET', path, { as, headers })
const RECORD = `/api/v1/interactions/${encodeURIComponent('a/1 ä')}`

describe('every question of the tools', () => {
  test('is answered over REST as the tool answers it, within the scope of the key', async () => {
    expect((await get('/api/v1/context')).json.volume.calls).toBe(3)
    const own = (await get('/api/v1/context', ben)).json
    expect(own.volume.calls).toBe(2)
    expect(own.agents).toMatchObject([{ agent_name: 'Ben' }])
    expect((await get('/api/v1/calls?text=card')).json).toMatchObject({ total: 1, calls: [{ session_id: 'a/1 ä' }] })
    expect((await get('/api/v1/calls?text=card', ben)).json.total).toBe(0)
    expect((await get('/api/v1/summary', ben)).json.calls).toBe(2)
    expect((await get('/api/v1/agents/performance?min_calls=1', ben)).json.agents).toHaveLength(1)
    const body = { pipeline: [{ $group: { _id: '$agent_name', calls: { $sum: 1 } } }] }
    const asked = await api.call('POST', '/api/v1/query', { as: ben, body })
    expect(asked.json.documents).toEqual([{ _id: 'Ben', calls: 2 }])
  })

  test('hides what is out of scope, and who may not ask is told so', async () => {
    const hidden = await get(`/api/v1/calls/${encodeURIComponent('a/1 ä')}`, ben)
    expect([hidden.status, hidden.json.error]).toEqual([404, 'Call not found: a/1 ä'])
    const missing = await get('/api/v1/compare?session_id_a=b&session_id_b=nowhere', ben)
    expect([missing.status, missing.json.error]).toEqual([404, 'Call not found: nowhere'])
    expect(await get('/api/v1/activity', ben)).toMatchObject({
      status: 403,
      json: { error: 'Role Admin or SuperAdmin required' },
    })
    const misspelt = await get('/api/v1/calls?agent=Ben')
    expect(misspelt.status).toBe(422)
    expect(misspelt.json.error).toContain('Unknown parameter "agent", did you mean "agent_name"?')
    expect(await get('/api/v1/changes?categories=signal')).toMatchObject({ status: 422 })
  })
})

describe('GET /api/v1/interactions', () => {
  test('reads filters from the query, each as what it is', async () => {
    const answer = await get('/api/v1/interactions?min_score=3.5&agent_id=ana&limit=10&sort=score_desc')
    expect(answer.status).toBe(200)
    expect(answer.json).toMatchObject({ interactions: [{ session_id: 'a/1 ä', score: 4 }], total: 1 })
  })

  test('pages by cursor, which belongs to the key and the query it was made for', async () => {
    const first = await get('/api/v1/interactions?limit=2')
    const cursor = encodeURIComponent(first.json.next_cursor)
    expect((await get(`/api/v1/interactions?limit=2&cursor=${cursor}`)).json.interactions).toHaveLength(1)
    for (const [query, as] of [
      [`limit=1&cursor=${cursor}`, key],
      [`limit=2&cursor=${cursor}`, ben],
    ] as const) {
      const other = await get(`/api/v1/interactions?${query}`, as)
      expect(other).toMatchObject({ status: 422, json: { error: 'Cursor belongs to another query' } })
    }
  })

  test.each([
    ['min_score=4&max_score=3', 'Parameter "min_score" must not be above "max_score"'],
    ['min_score=high', 'Parameter "min_score" must be a number, not "high"'],
    ['limit=1&limit=2', 'Parameter "limit" must be a number, not a list of 2'],
    ['agent=Ana', 'Unknown parameter "agent", did you mean "agent_id"?'],
    ['project_id=p2', 'Unknown parameter "project_id"'],
    ['start_date=2026-13-01', '"start_date" is neither a date'],
  ])('?%s is refused with the reason', async (query, reason) => {
    const { status, json } = await get(`/api/v1/interactions?${query}`)
    expect(status).toBe(422)
    expect(json).toMatchObject({ code: 'invalid_input', details: [{ path: expect.any(String) }] })
    expect(json.error).toContain(reason)
  })
})

describe('GET /api/v1/interactions/{interaction_id}', () => {
  test('gives the whole record, its id decoded once', async () => {
    expect((await get(RECORD)).json).toEqual({ ...calls[0], evaluation: { evaluator: 'imported' } })
  })

  test('answers 304 to whoever has it already, and anew when it has changed', async () => {
    const first = await get(RECORD)
    const etag = first.headers.get('etag') ?? ''
    expect(first.headers.get('cache-control')).toBe('private, no-cache')
    const again = await get(RECORD, key, { 'if-none-match': `"other", ${etag}` })
    expect(again).toMatchObject({ status: 304, text: '' })
    await api.call('POST', '/api/v1/interactions', { as: key, body: { ...calls[0], title: 'Card found' } })
    const changed = await get(RECORD, key, { 'if-none-match': etag })
    expect(changed).toMatchObject({ status: 200, json: { title: 'Card found' } })
    await api.call('POST', '/api/v1/interactions', { as: key, body: calls[0] })
  })

  test.runIf(isWhole)(
    'and so do lists, whose instant and cursor are others each time, until something in them changes',
    async () => {
      const paths = ['/api/v1/interactions?limit=1', '/api/v1/calls?limit=1', '/api/v1/agents', '/api/v1/summary']
      for (const [i, path] of paths.entries()) {
        const [json, csv] = [await get(path), await get(path, key, { accept: 'text/csv' })]
        const etag = json.headers.get('etag') ?? ''
        expect(json.headers.get('cache-control')).toBe('private, no-cache')
        expect(etag).toMatch(/^W\/"[\w-]{43}"$/)
        expect(await get(path, key, { 'if-none-match': etag })).toMatchObject({ status: 304, text: '' })
        // Another form, another credential, other calls: another tag.
        const other =
          csv.status === 406 ? undefined : await get(path, key, { 'if-none-match': etag, accept: 'text/csv' })
        expect(other?.status ?? 200).toBe(200)
        expect((await get(path, ben, { 'if-none-match': etag })).status).toBe(200)
        await api.call('POST', '/api/v1/interactions', { as: key, body: call(`z${i}`, 'Ana', { score: 1 }) })
        expect((await get(path, key, { 'if-none-match': etag })).status).toBe(200)
        await api.call('DELETE', `/api/v1/interactions/z${i}`, { as: key })
        expect((await get(path, key, { 'if-none-match': etag })).status).toBe(304)
      }
      const keys = await api.call('GET', '/projects/p1/mcp-keys', { as: await adminToken() })
      expect(keys.headers.get('etag')).not.toBeNull()
      expect((await get('/api/v1/activity')).headers.get('etag')).toBeNull()
    },
  )

  test('out of scope is like not there, also for a tag that is right', async () => {
    const etag = (await get(RECORD)).headers.get('etag') ?? ''
    const hidden = await get(RECORD, ben, { 'if-none-match': etag })
    const missing = await get('/api/v1/interactions/nowhere', ben, { 'if-none-match': '*' })
    expect(hidden).toMatchObject({ status: 404, json: { error: 'Call not found: a/1 ä', code: 'not_found' } })
    expect(missing).toMatchObject({ status: 404, json: { error: 'Call not found: nowhere', code: 'not_found' } })
    expect(hidden.headers.get('etag')).toBeNull()
  })

  test('is on record with the route and a hash of the id, as is a call that others are compared with', async () => {
    api.record.length = 0
    await get(RECORD)
    await get('/api/v1/compare?session_id_a=b&session_id_b=c')
    const hash = (id: string) => api.trail.sessionHash('p1', id)
    expect(api.record).toMatchObject([
      { page: 'GET /api/v1/interactions/:interaction_id', session_hashes: [hash('a/1 ä')] },
      { page: 'GET /api/v1/compare', status: 200, session_hashes: [hash('b'), hash('c')] },
    ])
  })
})

test('agents and the distribution are narrowed like everything else', async () => {
  const agents = async (as: string) =>
    (await get('/api/v1/agents', as)).json.agents.map((agent: { agent_name: string }) => agent.agent_name)
  expect(await agents(key)).toEqual(['Ana', 'Ben'])
  expect(await agents(ben)).toEqual(['Ben'])
  expect((await get('/api/v1/scores/distribution?bands=2', ben)).json).toMatchObject({
    calls: 2,
    scored_calls: 1,
    average_score: 2,
    median_score: 2,
    distribution: [
      { from: 1, to: 3, calls: 1, share: 1 },
      { from: 3, to: 5, calls: 0, share: 0 },
    ],
  })
})

describe('GET /api/v1/agents/{agent_id}/performance', () => {
  test('is how one agent does, with signals when asked', async () => {
    const { status, json } = await get('/api/v1/agents/ben/performance?include_signals=true&start_date=2026-03-01')
    expect(status).toBe(200)
    expect(json).toMatchObject({ agent_id: 'ben', agent_name: 'Ben', calls: 2, scored_calls: 1, signals: [] })
    expect((await get('/api/v1/agents/ben/performance')).json).not.toHaveProperty('signals')
  })

  test('an agent out of scope is like none', async () => {
    const hidden = await get('/api/v1/agents/ana/performance', ben)
    const missing = await get('/api/v1/agents/nowhere/performance', ben)
    expect(hidden).toMatchObject({ status: 404, json: { error: 'Agent not found: ana', code: 'not_found' } })
    expect(missing).toMatchObject({ status: 404, json: { error: 'Agent not found: nowhere', code: 'not_found' } })
  })
})

describe('an administrator', () => {
  test('hears the whole project of the token', async () => {
    expect((await get('/api/v1/agents', await adminToken())).json.agents).toHaveLength(2)
    expect((await get('/api/v1/agents', await adminToken('p2'))).json.agents).toEqual([])
  })

  test('as SuperAdmin names the project; one that is not there is 404', async () => {
    const token = await superToken()
    expect((await get('/api/v1/agents', token)).status).toBe(422)
    expect((await get('/api/v1/agents', token, { 'x-project-id': 'p1' })).json.agents).toHaveLength(2)
    expect((await get('/api/v1/agents', token, { 'x-project-id': 'nowhere' })).status).toBe(404)
  })

  test('can not name another project', async () => {
    const answer = await get('/api/v1/agents', await adminToken('p2'), { 'x-project-id': 'p1' })
    expect(answer.status).toBe(403)
  })
})

describe('a body that takes its time', () => {
  const FEEDBACK = '/api/v1/interactions/b/feedback'

  /** Sends all of a request but its last byte, and that one after a key was changed. */
  async function slowly(as: string, change: () => Promise<unknown>): Promise<string> {
    const body = '{"rating": 5}'
    const socket = connect(api.port, '127.0.0.1')
    const head = [
      'Host: localhost',
      'Connection: close',
      'Content-Type: application/json',
      `Authorization: Bearer ${as}`,
    ]
    const line = `POST ${FEEDBACK} HTTP/1.1\r\n${head.join('\r\n')}\r\nContent-Length: ${body.length}\r\n\r\n`
    socket.write(line + body.slice(0, -1))
    // Until it was let in, as far as can be told from outside.
    await expect
      .poll(() => api.keys.list('p1', { includeRevoked: false }).find(({ name }) => name === 'slow')?.last_used_at)
      .toBeDefined()
    await change()
    socket.write(body.slice(-1))
    return (await text(socket)).split('\r\n', 1)[0] ?? ''
  }

  test('is answered within what the key may hear by then, and not at all when it was revoked', async () => {
    const slow = { ...overseeing, name: 'slow' }
    const narrowed = await api.keys.mint('p1', slow, { name: 'root', role: 'SuperAdmin' })
    const root = { name: 'root', role: 'SuperAdmin' as const }
    const narrow = () => api.keys.patch('p1', narrowed.key_id, { name: 'narrowed', allowed_agents: ['Ana'] }, root)
    expect(await slowly(narrowed.key, narrow)).toBe('HTTP/1.1 404 Not Found')
    const revoked = await api.keys.mint('p1', slow, root)
    expect(await slowly(revoked.key, () => api.keys.revoke('p1', revoked.key_id))).toBe('HTTP/1.1 401 Unauthorized')
    expect((await get(FEEDBACK)).json).toEqual({ feedback: [], count: 0 })
  })
})
