import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import createClient from 'openapi-fetch'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { paths } from '../support/api-schema.js'
import { type RunningService, startService } from '../support/start-service.js'

// A client as users generate it from /openapi.json (npm run check:api): that this file compiles is half of the test.

/** More than a page. */
const CALLS = 30
const dataDir = mkdtempSync(join(tmpdir(), 'earshot-client-'))
let service: RunningService
beforeAll(async () => {
  service = await startService({ dataDir, calls: CALLS })
})
afterAll(async () => {
  await service.end()
  rmSync(dataDir, { recursive: true, force: true })
})

const clientAs = (token: string) =>
  createClient<paths, 'application/json'>({ baseUrl: service.api_url, headers: { authorization: `Bearer ${token}` } })

describe('a client generated from the description', () => {
  test('pages through all calls, reads one whole, and the agent who took it', async () => {
    const api = clientAs(service.application_key)
    const ids = new Set<string>()
    let cursor: string | undefined
    do {
      const query = { limit: 25, sort: 'score_asc' as const, ...(cursor === undefined ? {} : { cursor }) }
      const { data, error } = await api.GET('/api/v1/interactions', { params: { query } })
      expect(error).toBeUndefined()
      for (const one of data?.interactions ?? []) ids.add(one.session_id)
      cursor = data?.next_cursor
    } while (cursor !== undefined)
    expect(ids.size).toBe(CALLS)

    const [interaction_id = ''] = ids
    const { data: call } = await api.GET('/api/v1/interactions/{interaction_id}', {
      params: { path: { interaction_id } },
    })
    expect(call?.session_id).toBe(interaction_id)
    expect(call?.transcript?.length).toBeGreaterThan(0)
    const { data: agent } = await api.GET('/api/v1/agents/{agent_id}/performance', {
      params: { path: { agent_id: call?.agent_id ?? '' }, query: { include_signals: true, interval: 'week' } },
    })
    expect(agent).toMatchObject({ agent_name: call?.agent_name, signals: expect.any(Array) })
    expect(agent?.trend.reduce((sum, { calls }) => sum + calls, 0)).toBe(agent?.calls)
  })

  test('reads a table as CSV', async () => {
    const headers = { authorization: `Bearer ${service.application_key}`, accept: 'text/csv' }
    const tables = createClient<paths, 'text/csv'>({ baseUrl: service.api_url, headers })
    const { data } = await tables.GET('/api/v1/agents', { parseAs: 'text' })
    expect(data?.split('\r\n')[0]).toBe(
      'agent_id,agent_name,calls,average_score,score_interval_95,rank_interval_95,scored_calls,first_call,last_call',
    )
  })

  test('imports, erases, and has refusals typed like answers', async () => {
    const api = clientAs(service.application_key)
    const record = { session_id: 'from/client ä', agent_name: 'Ana', created_dt: '2026-03-01T10:00:00Z', score: 4 }
    const { data: report } = await api.POST('/api/v1/interactions', { body: [record] })
    expect(report).toMatchObject({ received: 1, stored: 1, errors: [] })
    const params = { path: { interaction_id: record.session_id } }
    expect((await api.GET('/api/v1/interactions/{interaction_id}', { params })).data?.score).toBe(4)
    const { response } = await api.DELETE('/api/v1/interactions/{interaction_id}', { params })
    expect(response.status).toBe(204)
    const { error } = await api.GET('/api/v1/interactions/{interaction_id}', { params })
    expect(error).toEqual({ error: 'Call not found: from/client ä', code: 'not_found' })
    const { error: crossed } = await api.GET('/api/v1/interactions', {
      params: { query: { min_score: 4, max_score: 2 } },
    })
    expect(crossed?.details?.[0]?.path).toBe('min_score')
  })

  test('administers keys', async () => {
    const admin = clientAs(service.admin_token)
    const path = { project_id: service.project_id }
    const { data: minted } = await admin.POST('/projects/{project_id}/mcp-keys', {
      params: { path },
      body: { name: 'Dashboard', allowed_agents: ['Nobody'], require_mapping: true },
    })
    const narrowed = clientAs(minted?.key ?? '')
    expect((await narrowed.GET('/api/v1/interactions')).data?.total).toBe(0)
    await admin.DELETE('/projects/{project_id}/mcp-keys/{key_id}', {
      params: { path: { ...path, key_id: minted?.key_id ?? '' } },
    })
    expect((await narrowed.GET('/api/v1/agents')).error?.error).toBe('Invalid or inactive API key')
  })
})
