import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { callTool, connectClient } from '../support/mcp-client.js'
import { type RunningService, startService } from '../support/start-service.js'

describe('what a key may hear', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'earshot-scope-'))
  let service: RunningService
  let agents: readonly string[]

  async function mint(body: object): Promise<{ key: string; key_id: string }> {
    const answer = await fetch(`${service.api_url}/projects/${service.project_id}/mcp-keys`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.admin_token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(answer.status).toBe(201)
    return (await answer.json()) as { key: string; key_id: string }
  }

  async function asked<T>(key: string, ask: (client: Awaited<ReturnType<typeof connectClient>>) => Promise<T>) {
    const client = await connectClient(service.mcp_url, key)
    try {
      return await ask(client)
    } finally {
      await client.close()
    }
  }

  beforeAll(async () => {
    service = await startService({ dataDir, calls: 300 })
    const context = await asked(service.application_key, client => callTool(client, 'get_project_context'))
    agents = context.agents.map((agent: { agent_name: string }) => agent.agent_name)
  })
  afterAll(async () => {
    await service.end()
    rmSync(dataDir, { recursive: true, force: true })
  })

  test('a single-agent key hears one agent in every tool, and learns nothing of the others', async () => {
    const [own, foreign] = agents as [string, string]
    const { key } = await mint({
      name: 'One agent',
      is_supervisor: false,
      roles: [],
      allowed_agents: [own],
      require_mapping: true,
    })
    const theirs = await asked(service.application_key, client =>
      callTool(client, 'search_calls', { agent_name: foreign, limit: 1 }),
    )
    const foreignId: string = theirs.calls[0].session_id

    await asked(key, async client => {
      const context = await callTool(client, 'get_project_context')
      expect(context.agents.map((agent: { agent_name: string }) => agent.agent_name)).toEqual([own])
      expect(context.volume.calls).toBeLessThan(300)

      const found = await callTool(client, 'search_calls', { limit: 50 })
      expect(found.total).toBe(context.volume.calls)
      expect(new Set(found.calls.map((call: { agent_name: string }) => call.agent_name))).toEqual(new Set([own]))
      expect(await callTool(client, 'search_calls', { agent_name: foreign })).toMatchObject({ count: 0, total: 0 })

      const refused = await callTool(client, 'get_call_detail', { session_id: foreignId })
      expect(refused).toEqual({ error: `Call not found: ${foreignId}` })
      expect(await callTool(client, 'get_call_detail', { session_id: 'no-such-call' })).toEqual({
        error: 'Call not found: no-such-call',
      })
    })
  })

  test('a key that must be mapped and is not hears no calls at all', async () => {
    const { key } = await mint({ name: 'Unmapped', require_mapping: true })
    await asked(key, async client => {
      const context = await callTool(client, 'get_project_context')
      expect(context).toMatchObject({ volume: { calls: 0 }, scope: { full_project: false }, agents: [] })
      expect(await callTool(client, 'search_calls')).toMatchObject({ count: 0, total: 0 })
    })
  })

  test('an administrator reads who asked what; other keys neither see the tool nor may call it', async () => {
    const { key, key_id } = await mint({ name: 'Curious', roles: [], is_supervisor: false })
    await asked(key, async client => {
      const { tools } = await client.listTools()
      expect(tools.map(tool => tool.name)).not.toContain('query_user_activity')
      expect(await callTool(client, 'query_user_activity', { query_type: 'summary' })).toEqual({
        error: 'Role Admin or SuperAdmin required',
      })
    })
    const seen = await asked(service.application_key, client =>
      callTool(client, 'query_user_activity', { query_type: 'user_detail', user_email: 'Curious' }),
    )
    expect(seen).toMatchObject({
      user: { name: 'Curious', kind: 'application_key', key_id },
      pages: [{ page: 'query_user_activity', views: 1 }],
    })
  })

  test('a revoked key is refused from the next request on, in the session it had open too', async () => {
    const { key, key_id } = await mint({ name: 'Soon gone' })
    const client = await connectClient(service.mcp_url, key)
    await callTool(client, 'get_project_context')
    const revoked = await fetch(`${service.api_url}/projects/${service.project_id}/mcp-keys/${key_id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${service.admin_token}` },
    })
    expect(await revoked.json()).toMatchObject({ key_id, active: false })
    await expect(callTool(client, 'get_project_context')).rejects.toThrow(
      /Invalid or inactive API key|closed|not found/i,
    )
    await client.close()

    const again = await fetch(`${service.mcp_url}/mcp`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: '{}',
    })
    expect(again.status).toBe(401)
    expect(await again.json()).toMatchObject({ error: 'Invalid or inactive API key' })
  })

  test('no key at all gets the text of the specification', async () => {
    const answer = await fetch(`${service.mcp_url}/mcp`, { method: 'POST', body: '{}' })
    expect(answer.status).toBe(401)
    expect(await answer.json()).toMatchObject({ error: 'Authentication required' })
  })

  test.each([
    ['a project_id', 'search_calls', { project_id: 'demo' }, 'project_id'],
    ['a misspelt argument', 'search_calls', { agent: 'x' }, 'agent_name'],
    ['a limit of 0', 'search_calls', { limit: 0 }, 'between 1 and 50'],
    ['reversed dates', 'search_calls', { date_from: '2026-03-02', date_to: '2026-03-01' }, '2026-03-02'],
    ['a tampered cursor', 'search_calls', { cursor: 'AAAA' }, 'Cursor belongs to another query'],
  ])('%s is refused in words', async (_, tool, args, said) => {
    const answer = await asked(service.application_key, client => callTool(client, tool, args))
    expect(answer.error).toContain(said)
  })
})
