import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anyText } from '../support/any-text.js'
import { adminToken, startApi, superToken } from '../support/api.js'
import { startCallsApi } from '../support/calls-api.js'
import type { Description, Operation } from '../support/documented.js'
import { Approvals } from '../../src/access/approvals.js'
import type { Store } from '../../src/store/store.js'
import { questionOperations } from '../../src/operations/ask-questions.js'
import { operations as declared } from '../../src/operations/operations.js'
import { queryParameters } from '../../src/rest/query-parameters.js'
import { isWhole, sized } from '../support/whole.js'

/** Requests of the fuzz below. */
const requestsAsked = Number(process.env['FUZZ_REQUESTS'] ?? sized(200, 400))

const CALL = {
  session_id: 'a',
  agent_name: 'Ana',
  created_dt: '2026-03-01T10:00:00.000Z',
  score: 4,
  signals: [{ key: 'sig.escalation', state: 'present' }],
  transcript: [{ turn: 0, actor: 'agent', text: 'Hello' }],
  session_metadata: { store: 7 },
}

let api: Awaited<ReturnType<typeof startCallsApi>>
let description: Description
let operations: readonly { readonly method: string; readonly path: string; readonly operation: Operation }[]
beforeAll(async () => {
  api = await startCallsApi({ requestsPerMinute: 1_000_000, failuresPerMinute: 1_000_000, approvals })
  description = (await api.call('GET', '/openapi.json')).json as Description
  operations = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
})
afterAll(() => api.close())

describe('the OpenAPI document', () => {
  test('passes a public validator', async () => {
    const result = await new Validator().validate({ ...description })
    expect(result).toEqual({ valid: true })
  })

  test('names the address that the operator says clients use, else the one it was read from', async () => {
    const named = await startApi({ settings: { publicUrl: 'https://calls.example.com' } })
    const { servers } = (await named.call('GET', '/openapi.json')).json as { servers: object[] }
    await named.server.close()
    expect(servers).toEqual([{ url: 'https://calls.example.com' }])
    expect(description).toMatchObject({ servers: [{ url: '/' }] })
  })

  test('is open, names every operation once and holds no secret', async () => {
    const names = operations.map(({ operation }) => operation.operationId)
    expect(new Set(names).size).toBe(names.length)
    expect(names).toContain('listInteractions')
    expect(JSON.stringify(description)).not.toMatch(/project_id":"p1|esk_[A-Za-z0-9_-]{10}/)
  })
})

/** Questions that are asked otherwise than their examples ask where everything goes well. */
const ASKED_OTHERWISE = new Set(['/api/v1/changes', '/api/v1/query'])

describe('examples', () => {
  const described = declared.filter(({ summary }) => summary !== undefined)

  test('stand with every operation that has to be given something, and are on the page', async () => {
    const needs = described.filter(({ body, query }) => {
      const wanting = (query !== undefined && !query.safeParse({}).success) || body !== undefined
      return wanting
    })
    expect(needs.length).toBeGreaterThan(20)
    expect(needs.filter(({ example }) => example === undefined).map(({ url }) => url)).toEqual([])
    const page = await (await fetch(`${api.url}/docs`)).text()
    expect(page.match(/curl -sS/g)?.length).toBeGreaterThanOrEqual(operations.length - 1)
    expect(page).toContain('max_score=2&amp;sort=score_asc&amp;limit=10')
  })

  test.each(
    described.filter(({ example }) => example !== undefined).map(one => [`${one.method} ${one.url}`, one] as const),
  )('%s takes its own', (_, { example, body, query }) => {
    const text = Object.fromEntries(
      Object.entries({ ...example?.query }).map(([name, value]): [string, string] => [name, String(value)]),
    )
    const inBody = example?.body === undefined ? true : body?.safeParse(example.body).success
    const inQuery = example?.query === undefined ? true : query && queryParameters(query).safeParse(text).success
    expect({ inBody, inQuery }).toEqual({ inBody: true, inQuery: true })
  })

  test('are answered where nothing has to be there before', async () => {
    const admin = await adminToken()
    const refused: string[] = []
    for (const one of described) {
      const { method, url, example, uploads, access } = one
      // Nearly all questions are asked so below.
      if (!isWhole && questionOperations.includes(one) && !ASKED_OTHERWISE.has(url)) continue
      if (example === undefined || uploads !== undefined || url.includes(':') || access === 'super_admin') continue
      if (['/api/v1/compare', '/api/v1/knowledge', '/api/v1/customers/erase'].includes(url)) continue
      const query = new URLSearchParams(
        Object.entries({ ...example.query }).map(([name, value]): [string, string] => [name, String(value)]),
      )
      const { status, text } = await api.call(method, `${url}?${query.toString()}`, {
        as: admin,
        ...(example.body !== undefined && { body: example.body }),
      })
      if (status >= 300) refused.push(`${method} ${url} ${status} ${text}`)
    }
    expect(refused).toEqual([])
  })
})

/** A call with a recording. */
async function storeRecorded(as: string): Promise<void> {
  mkdirSync(join(api.recordingsDir, 'p1'), { recursive: true })
  writeFileSync(join(api.recordingsDir, 'p1', 'a.wav'), 'RIFF1234WAVEfmt 1234')
  const body = [{ ...CALL, session_id: 'heard', recording_url: 'a.wav' }]
  await api.call('POST', '/api/v1/interactions', { as, body })
}

/** Something that somebody else asked for; of what is asked here nothing waits. */
async function waitingApproval(id: string): Promise<string> {
  const asked = { approval_id: id, project_id: 'p1', action: 'GET /x', asked: '{}', digest: id }
  const times = { requested_at: '2026-01-01T00:00:00.000Z', expires_at: '2199-01-01T00:00:00.000Z' }
  await api.store.privacy.putApproval({ ...asked, ...times, requested_by: 'bob', requested_subject: 'bob' })
  return id
}
const approvals = (store: Store) => Object.assign(new Approvals(store.privacy), { use: async () => undefined })

/** Refusals of what somebody sends, whatever is there. */
const REFUSALS = ['401', '403', '404', '406', '413', '415', '422']

/** Every operation with one of its documented statuses, as `METHOD path`. */
const documenting = (status: string) =>
  operations
    .filter(({ operation }) => status in operation.responses)
    .map(({ method, path }) => `${method} ${path}`)
    .toSorted()

describe('what is documented is what is answered', () => {
  // Each of these is forced, below, on every operation that documents it.
  test('and nothing else is documented', () => {
    const forced = new Set(['206', '304', '416', ...REFUSALS, '409', '429', '500', '503'])
    const others = operations.map(({ operation }) =>
      Object.keys(operation.responses).filter(status => !forced.has(status)),
    )
    expect(others.filter(([success = '', ...more]) => !success.startsWith('2') || more.length > 0)).toEqual([])
  })

  test('by every operation, when it goes well', async () => {
    const answered = new Set<string>()
    const faults: string[] = []
    const as = await api.mint()
    const [admin, root] = [await adminToken(), await superToken()]
    const ask = async (method: string, path: string, url: string, options: Parameters<typeof api.call>[2]) => {
      const answer = await api.call(method, url, options)
      if (answer.status >= 300) faults.push(`${method} ${url}: ${answer.text}`)
      answered.add(`${method} ${path}`)
      return answer.json
    }
    const get = (path: string, token?: string) => ask('GET', path, path, token === undefined ? {} : { as: token })
    const INTERACTION = '/api/v1/interactions/{interaction_id}'
    const KEY = '/projects/{project_id}/mcp-keys/{key_id}'
    const KEYS = '/projects/{project_id}/mcp-keys'

    await ask('POST', '/api/v1/interactions', '/api/v1/interactions', { as, body: [CALL] })
    await ask('GET', INTERACTION, '/api/v1/interactions/a', { as })
    await ask('GET', '/api/v1/calls/{session_id}', '/api/v1/calls/a', { as })
    await ask('GET', '/api/v1/compare', '/api/v1/compare?session_id_a=a&session_id_b=a', { as })
    const few = 'period=2026-03&categories=scores&categories=drivers'
    await ask('GET', '/api/v1/changes', `/api/v1/changes?${few}`, { as })
    await ask('POST', '/api/v1/query', '/api/v1/query', { as, body: { pipeline: [{ $count: 'calls' }] } })
    // All other questions, as their examples ask.
    for (const { method, url, example: { query = {}, body } = {} } of questionOperations) {
      if (answered.has(`${method} ${url}`) || url.includes(':')) continue
      const parameters = new URLSearchParams(
        Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
      )
      await ask(method, url, `${url}?${parameters.toString()}`, { as, ...(body === undefined ? {} : { body }) })
    }
    const FEEDBACK = `${INTERACTION}/feedback`
    const feedback = { as, body: { rating: 4, text: 'Good' } }
    const { feedback_id } = await ask('POST', FEEDBACK, '/api/v1/interactions/a/feedback', feedback)
    await ask('GET', FEEDBACK, '/api/v1/interactions/a/feedback', { as })
    await ask('DELETE', `${FEEDBACK}/{feedback_id}`, `/api/v1/interactions/a/feedback/${feedback_id}`, { as })
    const PERFORMANCE = '/api/v1/agents/{agent_id}/performance'
    await ask('GET', PERFORMANCE, '/api/v1/agents/ana/performance?include_signals=true&start_date=2026-01-01', { as })
    await ask('GET', '/api/v1/export', '/api/v1/export', { as: admin })
    const INBOUND = '/api/v1/inbound-webhooks'
    const added = await ask('POST', INBOUND, INBOUND, { as: admin, body: { name: 'PBX', kind: 'standard' } })
    await get(INBOUND, admin)
    const inbound = `${INBOUND}/${String(added['webhook_id'])}`
    await ask('DELETE', `${INBOUND}/{webhook_id}`, inbound, { as: admin })
    const MAPPING = '/api/v1/mappings/{mapping_id}'
    const saved = { mapping_id: 'a', map: ['agent_name=who'] }
    await ask('POST', '/api/v1/mappings', '/api/v1/mappings', { as: admin, body: saved })
    await ask('GET', MAPPING, '/api/v1/mappings/a', { as })
    await get('/api/v1/mappings', as)
    await ask('DELETE', MAPPING, '/api/v1/mappings/a', { as: admin })
    await storeRecorded(as)
    await ask('GET', `${INTERACTION}/recording`, '/api/v1/interactions/heard/recording', { as })
    await ask('GET', '/api/v1/export/tables/{table}', '/api/v1/export/tables/calls?format=csv', { as: admin })
    const said = 'session_id=t&agent_name=Ana&created_dt=2026-03-01T10:00:00Z'
    await ask('POST', '/api/v1/transcripts', `/api/v1/transcripts?${said}`, {
      as,
      body: 'WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ana>Hello, this is Ana.\n',
      headers: { 'content-type': 'text/vtt' },
    })
    const EXPLAIN = '/api/v1/transcripts/explain'
    await ask('POST', EXPLAIN, EXPLAIN, { as, body: { who: 'Ann', began: '2026-03-01T10:00:00Z' } })
    await ask('GET', '/api/v1/bulk/interactions', '/api/v1/bulk/interactions', { as })

    const RUBRIC = '/api/v1/rubric'
    await get(RUBRIC, admin)
    await ask('PUT', RUBRIC, RUBRIC, { as: admin, body: { built_in: 'support-calls' } })
    await get(`${RUBRIC}/versions`, admin)
    await ask('POST', `${RUBRIC}/try`, `${RUBRIC}/try`, { as: admin, body: { built_in: 'sales-calls', sample: 1 } })
    await ask('DELETE', INTERACTION, '/api/v1/interactions/a', { as: admin })

    const DOCUMENTS = '/api/v1/knowledge-base'
    const document = { name: 'a.md', title: 'Refunds', sections: [{ text: 'Within 14 days.' }] }
    const { kb_id } = await ask('POST', DOCUMENTS, DOCUMENTS, { as: admin, body: document })
    await get(DOCUMENTS, admin)
    await ask('GET', `${DOCUMENTS}/{kb_id}`, `${DOCUMENTS}/${kb_id}`, { as: admin })
    await ask('GET', '/api/v1/knowledge', '/api/v1/knowledge?query=refunds', { as })
    await ask('DELETE', `${DOCUMENTS}/{kb_id}`, `${DOCUMENTS}/${kb_id}`, { as: admin })

    const TASKS = '/api/v1/tasks'
    const TASK = `${TASKS}/{task_id}`
    const nightly = { kind: 'retention', schedule: '0 3 * * *', parameters: { calls_after_days: 30 } }
    const { task_id } = await ask('POST', TASKS, TASKS, { as: admin, body: nightly })
    await get(TASKS, admin)
    await ask('POST', `${TASKS}/check`, `${TASKS}/check`, { as: admin, body: nightly })
    await ask('GET', TASK, `${TASKS}/${task_id}`, { as: admin })
    await ask('PATCH', TASK, `${TASKS}/${task_id}`, { as: admin, body: { enabled: false } })
    await ask('POST', `${TASK}/run`, `${TASKS}/${task_id}/run`, { as: admin })
    await ask('GET', `${TASK}/runs`, `${TASKS}/${task_id}/runs`, { as: admin })
    await ask('DELETE', TASK, `${TASKS}/${task_id}`, { as: admin })

    const HOOKS = '/api/v1/webhooks'
    const HOOK = `${HOOKS}/{webhook_id}`
    const toHooks = { url: 'https://hooks.example.com/', events: ['key.revoked'] }
    const { webhook_id: hookId } = await ask('POST', HOOKS, HOOKS, { as: admin, body: toHooks })
    const hook = `${HOOKS}/${hookId}`
    await api.events.raise({ event: 'key.revoked', project_id: 'p1', data: { key_id: 'k' } })
    const attempt = { seq: 1, attempts: 2, next_at: '', attempted_at: '2026-03-01T00:00:00.000Z', duration_ms: 1.5 }
    await api.store.events.deliveries.settle([{ ...attempt, state: 'dead', status: 500 }])
    await get(HOOKS, admin)
    await ask('GET', HOOK, hook, { as: admin })
    await ask('PATCH', HOOK, hook, { as: admin, body: { active: false } })
    await ask('POST', `${HOOK}/rotate`, `${hook}/rotate`, { as: admin, body: {} })
    const told = await ask('GET', `${HOOK}/deliveries`, `${hook}/deliveries?limit=1`, { as: admin })
    const again = `deliveries/${told.deliveries[0].delivery_id}/resend`
    await ask('POST', `${HOOK}/deliveries/{delivery_id}/resend`, `${hook}/${again}`, { as: admin })
    await ask('POST', `${HOOK}/resend`, `${hook}/resend`, { as: admin })
    await ask('DELETE', HOOK, hook, { as: admin })

    const ALERTS = '/api/v1/alerts'
    const ALERT = `${ALERTS}/{alert_id}`
    const condition = { kind: 'score_below', threshold: 2 }
    const { alert_id } = await ask('POST', ALERTS, ALERTS, { as: admin, body: { name: 'Poor', condition } })
    await get(ALERTS, admin)
    await ask('GET', ALERT, `${ALERTS}/${alert_id}`, { as: admin })
    await ask('PATCH', ALERT, `${ALERTS}/${alert_id}`, { as: admin, body: { active: false } })
    await ask('DELETE', ALERT, `${ALERTS}/${alert_id}`, { as: admin })

    const { key_id } = await ask('POST', KEYS, '/projects/p1/mcp-keys', { as: admin, body: { name: 'x' } })
    await ask('GET', KEYS, '/projects/p1/mcp-keys', { as: admin })
    const key = `/projects/p1/mcp-keys/${key_id}`
    await ask('GET', KEY, key, { as: admin })
    await ask('PATCH', KEY, key, { as: admin, body: { name: 'y' } })
    await ask('GET', `${KEY}/as-seen`, `${key}/as-seen`, { as: admin })
    await ask('POST', `${KEY}/rotate`, `${key}/rotate`, { as: admin, body: {} })
    const PEOPLE = '/projects/{project_id}/people'
    const invited = await ask('POST', PEOPLE, '/projects/p1/people', { as: admin, body: { subject: 'a@example.com' } })
    await ask('POST', `${KEY}/invitation`, `/projects/p1/mcp-keys/${invited.key_id}/invitation`, { as: admin })
    const clientId = api.connections.clientIds.idOf({ client_name: 'A client', redirect_uris: ['https://ai.example/'] })
    const grant = { accountId: key_id, clientId, iat: 1_772_366_400, exp: 1_774_958_400 }
    await api.connections.adapter('Grant').upsert('g', grant, 86_400)
    const { connections } = await ask('GET', `${KEY}/connections`, `${key}/connections`, { as: admin })
    const { connection_id: connected } = connections[0]
    const MINE = '/api/v1/connections'
    await api.connections.adapter('Grant').upsert('h', { ...grant, accountId: invited.key_id }, 86_400)
    const { connections: mine } = await ask('GET', MINE, MINE, { as: admin })
    await ask('DELETE', `${MINE}/{connection_id}`, `${MINE}/${mine[0].connection_id}`, { as: admin })
    await ask('GET', `${KEY}/connections/{connection_id}/as-seen`, `${key}/connections/${connected}/as-seen`, {
      as: admin,
    })
    await ask('DELETE', `${KEY}/connections/{connection_id}`, `${key}/connections/${connected}`, { as: admin })
    await ask('DELETE', KEY, key, { as: admin })

    const TEAMS = '/projects/{project_id}/teams'
    const team = { team_id: 'north', agents: ['Ana'] }
    await ask('POST', TEAMS, '/projects/p1/teams', { as: admin, body: team })
    await ask('GET', TEAMS, '/projects/p1/teams', { as: admin })
    await ask('GET', `${TEAMS}/{team_id}`, '/projects/p1/teams/north', { as: admin })
    await ask('PATCH', `${TEAMS}/{team_id}`, '/projects/p1/teams/north', { as: admin, body: { agents: [] } })
    await ask('DELETE', `${TEAMS}/{team_id}`, '/projects/p1/teams/north', { as: admin })

    const APPROVALS = '/projects/{project_id}/approvals'
    const ids = await Promise.all([waitingApproval('a1'), waitingApproval('a2')])
    await ask('GET', APPROVALS, '/projects/p1/approvals', { as: admin })
    await ask('POST', `${APPROVALS}/{approval_id}/confirm`, `/projects/p1/approvals/${ids[0]}/confirm`, { as: admin })
    await ask('DELETE', `${APPROVALS}/{approval_id}`, `/projects/p1/approvals/${ids[1]}`, { as: admin })

    const arden = { customer: 'Arden Quigley' }
    const CUSTOMERS = '/api/v1/customers'
    const { confirm } = await ask('POST', `${CUSTOMERS}/find`, `${CUSTOMERS}/find`, { as: admin, body: arden })
    await ask('POST', `${CUSTOMERS}/report`, `${CUSTOMERS}/report`, { as: admin, body: arden })
    await ask('POST', `${CUSTOMERS}/erase`, `${CUSTOMERS}/erase`, { as: admin, body: { ...arden, confirm } })
    const HOLDS = '/api/v1/holds'
    const { hold_id } = await ask('POST', HOLDS, HOLDS, { as: admin, body: { name: 'Matter', ...arden } })
    await get(HOLDS, admin)
    await ask('DELETE', `${HOLDS}/{hold_id}`, `${HOLDS}/${hold_id}`, { as: admin })
    await get('/api/v1/erasures', admin)

    const PROJECT = '/api/v1/projects/{project_id}'
    await get('/api/v1/projects', root)
    await ask('POST', '/api/v1/projects', '/api/v1/projects', { as: root, body: { project_id: 'new' } })
    await ask('GET', PROJECT, '/api/v1/projects/new', { as: root })
    await ask('PATCH', PROJECT, '/api/v1/projects/new', { as: root, body: { name: 'New' } })
    await get('/health')
    await get('/ready')
    expect(faults).toEqual([])
    expect([...answered].toSorted()).toEqual(operations.map(({ method, path }) => `${method} ${path}`).toSorted())
  })

  test('by every operation, when it is refused', async () => {
    const [admin, root, foreign] = [await adminToken(), await superToken(), await adminToken('p2')]
    const key = await api.mint({ roles: [] })
    const expected = (documented: string[]) => documented.filter(status => REFUSALS.includes(status))
    const make = async (path: string, body: object, name: string) =>
      (await api.call('POST', path, { as: admin, body })).json[name] as string
    const hook = { url: 'https://hooks.example.com/', events: ['key.minted'] }
    const nightly = { kind: 'retention', schedule: '0 3 * * *', parameters: { calls_after_days: 30 } }
    const alert = { name: 'Poor', condition: { kind: 'score_below', threshold: 2 } }
    await api.call('POST', '/api/v1/interactions', { as: admin, body: [CALL] })
    const connected = async (keyId: string) => {
      const grant = { accountId: keyId, clientId: 'c', iat: 1_772_366_400, exp: 1_774_958_400 }
      await api.connections.adapter('Grant').upsert(`of ${keyId}`, grant, 86_400)
      return api.connections.of(keyId)[0]!.connection_id
    }
    const keyId = await make('/projects/p1/mcp-keys', { name: 'x' }, 'key_id')
    const made: Record<string, string> = {
      interaction_id: 'a',
      feedback_id: await make('/api/v1/interactions/a/feedback', { rating: 3 }, 'feedback_id'),
      agent_id: 'ana',
      webhook_id: await make('/api/v1/webhooks', hook, 'webhook_id'),
      task_id: await make('/api/v1/tasks', nightly, 'task_id'),
      alert_id: await make('/api/v1/alerts', alert, 'alert_id'),
      kb_id: await make('/api/v1/knowledge-base', { name: 'b.md', title: 'B', sections: [{ text: 'Text.' }] }, 'kb_id'),
      key_id: keyId,
      connection_id: await connected(keyId),
      team_id: await make('/projects/p1/teams', { team_id: 'refused' }, 'team_id'),
      table: 'calls',
      approval_id: await waitingApproval('a3'),
      hold_id: await make('/api/v1/holds', { name: 'x', session_ids: ['x'] }, 'hold_id'),
    }
    const missing: string[] = []
    for (const { method, path, operation } of operations) {
      const seen = new Set<number>()
      const takesBody = 'requestBody' in operation
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      const of = (projectId: string, other = 'nowhere') =>
        path.replace(/\{(\w+)\}/g, (_, name: string) => (name === 'project_id' ? projectId : other))
      const ofWhatIsThere = `${path.replace(/\{(\w+)\}/g, (_, name: string) => made[name] ?? 'p1')}?stranger=1`
      type Ask = readonly [string, Parameters<typeof api.call>[2]]
      const asks: readonly Ask[] = [
        [of('p1'), {}],
        [of('p1'), { as: key }],
        [of('p1'), { as: foreign }],
        [of('nowhere'), { as: root, headers: { 'x-project-id': 'nowhere' } }],
        [of('p1'), { as: root, headers: { 'x-project-id': 'p1', accept: 'image/png' } }],
        [ofWhatIsThere, { as: admin }],
      ]
      const more: readonly Ask[] = [
        [of('p1'), { as: 'esk_wrong' }],
        [of('p1'), { as: admin, headers: { 'x-project-id': 'p2' } }],
        [of('p1'), { as: admin }],
        [of('p1'), { as: admin, headers: { accept: 'image/png' } }],
        [`${of('p1')}?stranger=1`, { as: admin }],
        [`${of('p1')}?stranger=1`, { as: root, headers: { 'x-project-id': 'p1' } }],
        [of('p1', 'x'.repeat(3_000)), { as: root, headers: { 'x-project-id': 'p1' } }],
        [of('p1', '%00'), { as: root, headers: { 'x-project-id': 'p1' } }],
        [of('x'.repeat(3_000)), { as: root }],
      ]
      const refuse = async (some: readonly Ask[]) => {
        // Where nothing in the path is to be named several of them are the same. Most wait for the beat of what is not there.
        const refused = Array.from(new Map(some.map(one => [JSON.stringify(one), one])).values(), ([url, options]) =>
          api.call(method, url, { ...options, ...(takesBody ? { body: {} } : {}) }),
        )
        for (const { status } of await Promise.all(refused)) seen.add(status)
      }
      await refuse(asks)
      if (takesBody) {
        const whole = { as: root, headers: { 'x-project-id': 'p1' } }
        const text = { ...whole.headers, 'content-type': 'image/png' }
        seen.add((await api.call(method, of('p1'), { as: root, headers: text, body: 'x' })).status)
        seen.add((await api.call(method, of('p1'), { ...whole, body: '{' })).status)
        // Refused by what it says, before it is sent.
        const head = `${method} ${of('p1')} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 9999999999\r\n`
        const large = `${head}Content-Type: application/json\r\nX-Project-Id: p1\r\nAuthorization: Bearer ${root}\r\n\r\n`
        seen.add(Number(/^HTTP\/1.1 (\d+)/.exec(await api.raw(large))?.[1]))
      }
      // What is not there comes before what is written wrong, but where that changes something and takes no body.
      if (names.some(name => name !== 'project_id') && (takesBody || method === 'GET')) {
        const wrong = { as: root, headers: { 'x-project-id': 'p1' }, ...(takesBody ? { body: { stranger: 1 } } : {}) }
        const answer = await api.call(method, `${of('p1')}?stranger=1`, wrong)
        if (answer.status !== 404) missing.push(`${method} ${path} 404 first, not ${answer.status} ${answer.text}`)
      }
      const wanting = () => expected(Object.keys(operation.responses)).filter(status => !seen.has(Number(status)))
      if (isWhole || wanting().length > 0) await refuse(more)
      for (const status of wanting()) {
        missing.push(`${method} ${path} ${status}`)
      }
    }
    expect(missing).toEqual([])
  })

  test('by every operation, when somebody has it already', async () => {
    const as = await superToken()
    const headers = { 'x-project-id': 'p1' }
    const make = async (path: string, body: object, name: string) =>
      (await api.call('POST', path, { as, headers, body })).json[name] as string
    await api.call('POST', '/api/v1/interactions', { as, headers, body: [{ ...CALL, session_id: 'tagged' }] })
    const document = { name: 'c.md', title: 'C', sections: [{ text: 'Text.' }] }
    const hook = { url: 'https://hooks.example.com/', events: ['key.minted'] }
    const nightly = { kind: 'retention', schedule: '0 3 * * *', parameters: { calls_after_days: 30 } }
    const made: Record<string, string> = {
      project_id: 'p1',
      interaction_id: 'tagged',
      session_id: 'tagged',
      agent_id: 'ana',
      kb_id: await make('/api/v1/knowledge-base', document, 'kb_id'),
      webhook_id: await make('/api/v1/webhooks', hook, 'webhook_id'),
      task_id: await make('/api/v1/tasks', nightly, 'task_id'),
      key_id: await make('/projects/p1/mcp-keys', { name: 'x' }, 'key_id'),
      team_id: await make('/projects/p1/teams', { team_id: 'tagged' }, 'team_id'),
    }
    const asking: Record<string, string> = {
      '/api/v1/compare': '?session_id_a=tagged&session_id_b=tagged',
      '/api/v1/changes': '?period=2026-03',
      '/api/v1/knowledge': '?query=text',
    }
    const unchanged: string[] = []
    for (const name of documenting('304')) {
      const [method = '', path = ''] = name.split(' ')
      const url = path.replaceAll(/\{(\w+)\}/g, (_, variable: string) => made[variable] ?? '') + (asking[path] ?? '')
      // A SuperAdmin's project is in the path, or the header says it.
      const ofProject = path.startsWith('/api/v1/projects') || path.startsWith('/projects') ? {} : headers
      const { headers: first } = await api.call(method, url, { as, headers: ofProject })
      const tag = { 'if-none-match': first.get('etag') ?? '' }
      const { status } = await api.call(method, url, { as, headers: { ...ofProject, ...tag } })
      if (status === 304) unchanged.push(name)
    }
    expect(unchanged).toEqual(documenting('304'))
    expect(unchanged).not.toEqual([])
  })

  test('by every operation that gives a file, by ranges of it', async () => {
    const admin = await adminToken()
    expect(documenting('206')).toEqual(documenting('416'))
    await storeRecorded(admin)
    const made: Record<string, string> = { table: 'calls', interaction_id: 'heard' }
    for (const name of documenting('206')) {
      const [method = '', path = ''] = name.split(' ')
      const url = path.replaceAll(/\{(\w+)\}/g, (_, variable: string) => made[variable] ?? '')
      const ranged = (range: string) => api.call(method, url, { as: admin, headers: { range } })
      const part = await ranged('bytes=1-2')
      expect([name, part.status, part.text.length]).toEqual([name, 206, 2])
      expect(part.headers.get('content-range')).toMatch(/^bytes 1-2\/\d+$/)
      const beyond = await ranged('bytes=999999999-')
      expect([name, beyond.status, beyond.text]).toEqual([name, 416, ''])
      // Several at once, and what is no range, are answered whole.
      for (const range of ['bytes=0-1,3-4', 'lines=0-1']) expect((await ranged(range)).status).toBe(200)
    }
  })

  test.runIf(isWhole)('by every operation, when it is in conflict with what is there', async () => {
    const unreadable = { version: 1, text: 'of another time', set_at: '2026-01-01T00:00:00.000Z', set_by: 'ada' }
    let end = () => {}
    const running = new Promise<void>(resolve => (end = resolve))
    /** What happens while somebody's confirmation is looked up. */
    let meanwhile = async (): Promise<unknown> => undefined
    const kept = await startCallsApi({
      approvals: store => Object.assign(new Approvals(store.privacy), { use: () => meanwhile() }),
      // All but one of the holds that a project may have, each of which would be a request that looks at those before it.
      seed: async store => {
        await store.rubrics.add({ project_id: 'p2', ...unreadable })
        const placed = { project_id: 'p1', name: 'Matter', created_at: unreadable.set_at, created_by: 'ada' }
        for (let n = 1; n < 200; n += 1)
          await store.privacy.placeHold({ ...placed, hold_id: `hold_${n}`, customer: 'Arden Quigley' })
      },
      work: () => running,
      maxKeysPerProject: 4,
    })
    try {
      const [admin, root, other] = [await adminToken(), await superToken(), await adminToken('p2')]
      const found = new Map<string, number>()
      const send = (method: string, url: string, body?: object, as = admin) =>
        kept.call(method, url, { as, ...(body !== undefined && { body }) })
      /** The last of these requests is the one in conflict. */
      const conflict = async (method: string, path: string, id?: string, body?: object, as = admin) => {
        const url = id === undefined ? path : path.replace(/\{(?!project_id)\w+\}/, id).replace('{project_id}', 'p1')
        found.set(`${method} ${path}`, (await send(method, url, body, as)).status)
      }
      await conflict('GET', '/api/v1/rubric', undefined, undefined, other)
      await conflict('POST', '/api/v1/projects', undefined, { project_id: 'p1' }, root)

      await send('POST', '/api/v1/interactions', [CALL])

      const alert = { name: 'Poor', condition: { kind: 'score_below', threshold: 2 } }
      const hook = { url: 'https://hooks.example.com/', events: ['key.minted'] }
      for (const [path, most, body] of [
        ['/api/v1/alerts', 100, alert],
        ['/api/v1/webhooks', 20, hook],
        ['/api/v1/inbound-webhooks', 20, { name: 'PBX', kind: 'standard' }],
      ] as const) {
        await Promise.all(Array.from({ length: most }, () => send('POST', path, body)))
        await conflict('POST', path, undefined, body)
      }

      const [{ alert_id: poor }] = (await send('GET', '/api/v1/alerts')).json.alerts
      const looking = { condition: { kind: 'change_found' }, agents: Array.from({ length: 501 }, (_, i) => `a${i}`) }
      await conflict('PATCH', '/api/v1/alerts/{alert_id}', poor, looking)

      const names = Array.from({ length: 100 }, (_, i) => `m${i}`)
      await Promise.all(names.map(mapping_id => send('POST', '/api/v1/mappings', { mapping_id })))
      await conflict('POST', '/api/v1/mappings', undefined, { mapping_id: 'one too many' })

      const matter = { name: 'Matter', session_ids: [CALL.session_id] }
      const { status: last } = await send('POST', '/api/v1/holds', matter)
      expect(last).toBe(201)
      await conflict('POST', '/api/v1/holds', undefined, matter)
      await conflict('DELETE', '/api/v1/interactions/{interaction_id}', CALL.session_id)
      await conflict('POST', '/api/v1/customers/erase', undefined, { customer: 'Bo', confirm: 'of-others' })

      const schedule = '0 3 * * *'
      const byModel = { kind: 'evaluate_pending', schedule, parameters: { with: 'model' } }
      await conflict('POST', '/api/v1/tasks', undefined, byModel)
      await conflict('POST', '/api/v1/tasks/check', undefined, byModel)
      const byRules = { ...byModel, parameters: { with: 'rules' } }
      const { task_id: pending } = (await send('POST', '/api/v1/tasks', byRules)).json
      await conflict('PATCH', '/api/v1/tasks/{task_id}', pending, { parameters: byModel.parameters })
      const retention = { kind: 'retention', schedule, parameters: { calls_after_days: 30 } }
      const { task_id: busy } = (await send('POST', '/api/v1/tasks', retention)).json
      expect((await send('POST', `/api/v1/tasks/${busy}/run`)).status).toBe(202)
      await conflict('POST', '/api/v1/tasks/{task_id}/run', busy)

      const KEYS = '/projects/{project_id}/mcp-keys'
      const { key_id: key } = (await send('POST', '/projects/p1/mcp-keys', { name: 'x', text: 'none' })).json
      const { key_id: person } = (await send('POST', '/projects/p1/people', { subject: 'bo', require_mapping: false }))
        .json
      const author = { name: 'bob', role: 'Admin' } as const
      const changedMeanwhile = async (id: string, method: string, path: string, body?: object) => {
        meanwhile = () => kept.keys.patch('p1', id, { name: `${method} meanwhile` }, author)
        await conflict(method, path, id, body)
        meanwhile = async () => undefined
      }
      await changedMeanwhile(key, 'PATCH', `${KEYS}/{key_id}`, { text: 'full' })
      await changedMeanwhile(person, 'POST', `${KEYS}/{key_id}/invitation`)
      await send('POST', `/projects/p1/mcp-keys/${key}/rotate`, { grace_seconds: 60 })
      await conflict('POST', `${KEYS}/{key_id}/rotate`, key, {})
      await kept.mint()
      await conflict('POST', KEYS, 'p1', { name: 'one too many' })
      await conflict('POST', '/projects/{project_id}/people', 'p1', { subject: 'one too many' })
      await send('POST', '/projects/p1/teams', { team_id: 'taken' })
      await conflict('POST', '/projects/{project_id}/teams', 'p1', { team_id: 'taken' })

      expect([...found.keys()].toSorted()).toEqual(documenting('409'))
      expect([...found].filter(([, status]) => status !== 409)).toEqual([])
    } finally {
      end()
      await kept.close()
    }
  })

  test('by every operation, when something fails that nobody thought of', async () => {
    const faulty = await startApi({
      health: () => {
        throw new Error('Nobody thought of this')
      },
      ready: async () => ({ code: 'store_unavailable' }),
    })
    const as = await superToken()
    const headers = { 'x-project-id': 'p1' }
    const failed: string[] = []
    api.trail.broken = true
    try {
      for (const name of documenting('500')) {
        const [method = '', path = ''] = name.split(' ')
        const { operation } = operations.find(one => one.method === method && one.path === path)!
        const body = 'requestBody' in operation ? { body: {} } : {}
        const from = path === '/health' ? faulty : api
        const answer = await from.call(method, path.replaceAll(/\{\w+\}/g, 'p1'), { as, headers, ...body })
        if (answer.status === 500 && typeof answer.json.reference === 'string') failed.push(name)
      }
      expect((await faulty.call('GET', '/ready')).status).toBe(503)
    } finally {
      api.trail.broken = false
      await faulty.server.close()
    }
    expect(failed).toEqual(documenting('500'))
  })

  test('by every operation, when there are too many and when nothing can be answered', async () => {
    const busy = await startCallsApi({ requestsPerMinute: 1 })
    const statuses = new Map<string, unknown[]>()
    const root = await superToken()
    for (const [i, { method, path, operation }] of operations.entries()) {
      if (!('429' in operation.responses)) continue
      const url = path.replaceAll(/\{\w+\}/g, 'p1')
      const options = {
        as: root,
        headers: { 'x-project-id': 'p1' },
        ...('requestBody' in operation ? { body: {} } : {}),
      }
      if (i === 0) await busy.call(method, url, options)
      const { status: refused, headers } = await busy.call(method, url, options)
      api.trail.out = true
      const { status: out } = await api.call(method, url, options)
      api.trail.out = false
      statuses.set(`${method} ${path}`, [refused, Number(headers.get('retry-after') ?? 0) > 0, out])
    }
    await busy.close()
    expect([...statuses].filter(([, found]) => found.join() !== '429,true,503')).toEqual([])
    expect([...statuses.keys()].toSorted()).toEqual(documenting('429'))
    // Of /ready it is above.
    expect([...statuses.keys(), 'GET /ready'].toSorted()).toEqual(documenting('503'))
  })

  // FUZZ_REQUESTS=20000 asks more, by another seed each time: npm run fuzz:rest.
  test(
    'whatever is sent: nothing fails inside, nothing undocumented comes back',
    async () => {
      const tokens = [
        await api.mint(),
        await api.mint({ allowed_agents: ['Ana'] }),
        await adminToken(),
        await superToken(),
      ]
      await api.call('POST', '/api/v1/interactions', { as: tokens[0] ?? '', body: [CALL] })
      const text = fc.oneof(
        fc.constantFrom('', '0', '1', '-1', '2.5', '1e999', 'true', '2026-03-01', 'a', 'p1', 'date_asc', '%', '../..'),
        anyText(20),
      )
      const requests = fc.record({
        which: fc.nat(),
        token: fc.constantFrom(...tokens, undefined, 'esk_wrong'),
        segments: fc.array(
          // A client resolves dots before it sends: `keys/./rotate` is asked as the key `rotate`.
          text.filter(segment => !['', '.', '..'].includes(segment)),
          { minLength: 2, maxLength: 2 },
        ),
        values: fc.array(fc.option(text, { nil: undefined, freq: 2 }), { minLength: 10, maxLength: 10 }),
        stranger: fc.option(text, { nil: undefined, freq: 10 }),
        body: fc.oneof(
          fc.jsonValue(),
          fc.constant({ name: 'n' }),
          fc.constant(CALL),
          fc.record({ name: text, roles: fc.jsonValue() }),
        ),
      })
      await fc.assert(
        fc.asyncProperty(requests, async ({ which, token, segments, values, stranger, body }) => {
          const found = operations[which % operations.length]
          if (found === undefined) return
          const { method, path, operation } = found
          const query = new URLSearchParams()
          const inQuery = operation.parameters.filter(parameter => parameter.in === 'query')
          for (const [i, { name }] of inQuery.entries()) {
            const value = values[i]
            if (value !== undefined) query.append(name, value.toWellFormed())
          }
          if (stranger !== undefined) query.append(stranger.toWellFormed(), 'x')
          let next = 0
          const filled = path.replace(/\{\w+\}/g, () => encodeURIComponent((segments[next++] ?? '').toWellFormed()))
          const answer = await api.call(method, `${filled}?${query.toString()}`, {
            ...(token === undefined ? {} : { as: token }),
            ...(method === 'GET' || method === 'DELETE' ? {} : { body }),
          })
          expect(answer.text).not.toMatch(/\n\s+at |node_modules|select |\.ts:/i)
          expect(answer.status).not.toBe(500)
          expect(answer.status).toBeLessThan(503)
        }),
        {
          numRuns: requestsAsked,
          ...(process.env['FUZZ_REQUESTS'] === undefined ? { seed: 7 } : {}),
        },
      )
      // Some of them are imports and exports: only a hang takes so long.
    },
    requestsAsked * 240,
  )
})
