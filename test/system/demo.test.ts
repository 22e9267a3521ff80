import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { questions } from '../../src/questions/questions.js'
import { callTool, connectClient, ways } from '../support/mcp-client.js'
import { runEarshot } from '../support/run-earshot.js'
import { type RunningService, startService } from '../support/start-service.js'

describe('earshot demo', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'earshot-demo-'))
  const dataDir = join(scratch, 'demo-data')
  let service: RunningService

  beforeAll(async () => {
    service = await startService({ dataDir, calls: 200 })
  })
  afterAll(async () => {
    await service.end()
    rmSync(scratch, { recursive: true, force: true })
  })

  test('says in one line where it is and how to get in', () => {
    expect(service.output().stdout.trimEnd().split('\n')).toHaveLength(1)
    expect(service.api_url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(service.mcp_url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(service.application_key).toMatch(/^esk_/)
  })

  test('is alive and ready on both listeners', async () => {
    for (const url of [service.api_url, service.mcp_url]) {
      const health = await fetch(`${url}/health`)
      expect(await health.json()).toMatchObject({ status: 'ok', tools: questions.length, auth_cache_size: 1 })
      expect((await fetch(`${url}/ready`)).status).toBe(200)
    }
  })

  test('keeps connections longer than proxies do, so that it is never the one to close on a request', async () => {
    for (const url of [service.api_url, service.mcp_url]) {
      const { headers } = await fetch(`${url}/health`)
      expect(headers.get('keep-alive')).toBe('timeout=75')
    }
  })

  test.each(ways)('answers the tools over %s', async way => {
    const client = await connectClient(service.mcp_url, service.application_key, way)
    try {
      const { tools } = await client.listTools()
      // The demo's key is an administrator's: it sees every tool.
      expect(tools.map(tool => tool.name)).toEqual(questions.map(question => question.name))

      const context = await callTool(client, 'get_project_context')
      expect(context.project.project_id).toBe(service.project_id)
      expect(context.volume.calls).toBe(200)
      expect(context.scope).toMatchObject({ full_project: true })

      const found = await callTool(client, 'search_calls', { limit: 3 })
      expect(found).toMatchObject({ count: 3, total: 200 })

      const sessionId = found.calls[0].session_id
      const call = await callTool(client, 'get_call_detail', { session_id: sessionId })
      expect(call.metadata.session_id).toBe(sessionId)
      expect(call.transcript.length).toBeGreaterThanOrEqual(8)
      // What the demo shows is what evaluation found.
      expect(call.evaluation).toMatchObject({ evaluator: 'rules', rubric: 'support-calls' })
      expect(call.signals.length).toBeGreaterThan(10)
    } finally {
      await client.close()
    }
  })

  test('pages through every call once', async () => {
    const client = await connectClient(service.mcp_url, service.application_key)
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await callTool(client, 'search_calls', { limit: 50, ...(cursor === undefined ? {} : { cursor }) })
      seen.push(...page.calls.map((call: { session_id: string }) => call.session_id))
      cursor = page.next_cursor
    } while (cursor !== undefined)
    await client.close()
    expect(new Set(seen).size).toBe(200)
    expect(seen).toHaveLength(200)
  })

  test('answers a single request without a session, as the curl it prints sends it', async () => {
    const answer = await fetch(`${service.mcp_url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${service.application_key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_project_context","arguments":{}}}',
    })
    expect(answer.status).toBe(200)
    expect(await answer.text()).toContain('\\"calls\\":200')
  })

  test('logs who came in, and never the key or the token', () => {
    const { stderr } = service.output()
    expect(stderr).toContain(`MCP auth via application_key: project_id=${service.project_id} app=`)
    expect(stderr).not.toContain(service.application_key)
    expect(stderr).not.toContain(service.admin_token)
  })

  test('keeps its directory to itself', () => {
    expect(statSync(dataDir).mode & 0o777).toBe(0o700)
    expect(statSync(join(dataDir, 'earshot.duckdb')).mode & 0o777).toBe(0o600)
  })

  test('tells a second server who holds the directory, and serves commands', async () => {
    const second = await runEarshot(['demo', '--json', '--port', '0', '--mcp-port', '0', '--data-dir', dataDir])
    expect(second.code).toBe(1)
    expect(second.stdout).toBe('')
    expect(second.stderr).toContain(`in use by process ${service.process.pid} (earshot demo)`)

    const keys = await runEarshot(['keys', 'list', '--project', 'demo', '--data-dir', dataDir])
    expect(keys).toMatchObject({ code: 0, stderr: '' })
    expect(keys.stdout).toContain('Demo')
  })

  test('says which port is taken, and leaves nothing behind', async () => {
    const { port } = new URL(service.api_url)
    const other = join(scratch, 'other')
    const refused = await runEarshot(['demo', '--port', '0', '--mcp-port', port, '--data-dir', other, '--calls', '10'])
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain(`Port ${port} on 127.0.0.1 is in use`)
    expect(existsSync(join(other, 'earshot.duckdb.wal'))).toBe(false)
  })
})

describe('a second start of the demo', () => {
  test('fills nothing anew, and revokes the key and the token of the start before', async () => {
    const scratch = mkdtempSync(join(tmpdir(), 'earshot-demo-'))
    const first = await startService({ dataDir: scratch, calls: 50 })
    const stopped = await first.end('SIGTERM')
    expect(stopped).toEqual({ code: 0, signal: null })

    const second = await startService({ dataDir: scratch, calls: 50 })
    try {
      expect(second.application_key).not.toBe(first.application_key)
      await expect(connectClient(second.mcp_url, first.application_key)).rejects.toThrow(/Invalid or inactive API key/)
      const client = await connectClient(second.mcp_url, second.application_key)
      expect((await callTool(client, 'get_project_context')).volume.calls).toBe(50)
      await client.close()

      const keys = `${second.api_url}/projects/${second.project_id}/mcp-keys`
      const old = await fetch(keys, { headers: { authorization: `Bearer ${first.admin_token}` } })
      expect(old.status).toBe(401)
      const now = await fetch(keys, { headers: { authorization: `Bearer ${second.admin_token}` } })
      expect(now.status).toBe(200)
    } finally {
      await second.end()
      rmSync(scratch, { recursive: true, force: true })
    }
  })

  test('keeps away from a directory that holds something else', async () => {
    const scratch = mkdtempSync(join(tmpdir(), 'earshot-demo-'))
    try {
      await runEarshot(['project', 'create', 'mine', '--data-dir', scratch])
      const refused = await runEarshot(['demo', '--json', '--data-dir', scratch, '--port', '0', '--mcp-port', '0'])
      expect(refused.code).toBe(1)
      expect(refused.stderr).toContain("holds something that is not the demo's")
    } finally {
      rmSync(scratch, { recursive: true, force: true })
    }
  })
})
