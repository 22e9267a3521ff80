import { beforeAll, describe, expect, test } from 'vitest'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { callTool, connectClient } from '../support/mcp-client.js'
import { openSession, post, toolCall } from '../mcp/post.js'
import { roundRobin } from '../support/round-robin.js'
import { type FakeServer, fakeServer } from '../support/mongodb/fake-server.js'
import { runEarshot } from '../support/run-earshot.js'
import { type RunningServer, startServer } from '../support/start-server.js'
import { type RunningService, startService } from '../support/start-service.js'

/** A store that EARSHOT_STORE_URL names, on a fake of a server: that all of Earshot works over it, and what it says where it can't. */

/** Longer than a process that was killed still has the store, and nearer than a clock may be off; milliseconds. */
const LEASE_OVER_MS = 50_000
const SECRET = 'what all processes of this store are told'
/** Of the demo: few, as the fake reads all of them for every question. */
const CALLS = 20

describe('a service whose store is elsewhere', () => {
  let server: FakeServer
  let service: RunningService
  let env: Record<string, string>
  /** The call that was asked for. */
  let detail: string
  const dataDir = mkdtempSync(join(tmpdir(), 'earshot-test-'))

  beforeAll(async () => {
    server = await fakeServer()
    // The fake answers in this thread, which others keep busy.
    env = { EARSHOT_STORE_URL: server.url, EARSHOT_SECRET: SECRET, EARSHOT_QUERY_TIMEOUT: '60s' }
    service = await startService({ dataDir, calls: CALLS, fills: true, env })
    return async () => {
      await service.end()
      await server.close()
      rmSync(dataDir, { recursive: true })
    }
  })

  const rest = async (path: string) => {
    const answer = await fetch(service.api_url + path, {
      headers: { authorization: `Bearer ${service.application_key}` },
    })
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }

  test('answers AI clients and scripts, and leaves nothing of calls in the data directory', async () => {
    const client = await connectClient(service.mcp_url, service.application_key)
    const summary = await callTool(client, 'get_project_summary')
    expect(summary).toMatchObject({ calls: CALLS, evaluated: CALLS })
    const { calls } = await callTool(client, 'search_calls', { limit: 1 })
    detail = calls[0].session_id
    const asked = await callTool(client, 'get_call_detail', { session_id: detail })
    expect(JSON.stringify(asked)).toContain(detail)
    await client.close()
    expect(await rest('/api/v1/summary')).toMatchObject({ status: 200, body: { calls: CALLS } })
    expect(await rest('/ready')).toMatchObject({ status: 200 })
    const { stdout } = await runEarshot(['doctor', '--data-dir', dataDir, '--port', '0', '--mcp-port', '0'], { env })
    expect(stdout).toMatch(/ok +Store +held by the running server/)
  })

  test('is not backed up, compacted or restored by Earshot, which says so', async () => {
    for (const command of [['backup', join(dataDir, '..', 'copy')], ['compact'], ['restore', '/nowhere']]) {
      const { code, stderr } = await runEarshot([...command, '--data-dir', dataDir], { env })
      expect([code, stderr]).toEqual([
        1,
        `"earshot ${command[0]}" is for the store of a data directory. EARSHOT_STORE_URL names a server, which has tools of its own for that\n`,
      ])
    }
  })

  describe('and is another process’s too', () => {
    let beside: RunningServer
    let admin: { readonly authorization: string }
    beforeAll(async () => {
      beside = await startServer(join(dataDir, 'beside'), env)
      admin = { authorization: `Bearer ${service.admin_token}` }
      return () => beside.end()
    })

    const asAdmin = async (base: string, method: string, path: string, body?: object) => {
      const answer = await fetch(`${base}/projects/${service.project_id}${path}`, {
        method,
        headers: { ...admin, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      })
      expect(answer.status).toBeLessThan(300)
      return answer.status === 204 ? {} : ((await answer.json()) as Record<string, string>)
    }
    /** The least that can be asked: the fake answers in this thread, and a summary is several pipelines over all calls. */
    const statusAt = async (base: string, key: string) =>
      (await fetch(`${base}/api/v1/calls?limit=1`, { headers: { authorization: `Bearer ${key}` } })).status

    test('a key that one mints is taken by the other at once, and refused once it is revoked, in open sessions too', async () => {
      const minted = await asAdmin(service.api_url, 'POST', '/mcp-keys', { name: 'Both' })
      const { key, key_id: id } = minted as { key: string; key_id: string }
      expect(await statusAt(beside.apiUrl, key)).toBe(200)
      const client = await connectClient(beside.mcpUrl, key)
      expect(await callTool(client, 'search_calls', { limit: 1 })).toMatchObject({ total: CALLS })
      await asAdmin(service.api_url, 'DELETE', `/mcp-keys/${id}`)
      await expect.poll(() => statusAt(beside.apiUrl, key), { timeout: 5_000 }).toBe(401)
      await expect(callTool(client, 'search_calls', { limit: 1 })).rejects.toThrow(/inactive|401|session/i)
      await client.close()
    })

    test('either goes on with an AI client’s session, behind a proxy that takes turns, until it is ended', async () => {
      const proxy = await roundRobin(() => [service.mcp_url, beside.mcpUrl])
      for (const way of ['/mcp 2025-11-25', '/mcp 2026-07-28'] as const) {
        const client = await connectClient(proxy.url, service.application_key, way)
        for (let n = 0; n < 4; n += 1) {
          expect(await callTool(client, 'search_calls', { limit: 1 })).toMatchObject({ total: CALLS })
        }
        await client.close()
      }
      expect(Math.min(...proxy.served())).toBeGreaterThan(3)
      await proxy.close()
      const headers = { authorization: `Bearer ${service.application_key}` }
      const id = await openSession(service.mcp_url, service.application_key)
      const inSession = { ...headers, 'mcp-session-id': id }
      const ask = async (base: string) =>
        (await post(base, toolCall('search_calls'), { 'mcp-session-id': id }, service.application_key)).status
      expect(await ask(beside.mcpUrl)).toBe(200)
      expect((await fetch(`${beside.mcpUrl}/mcp`, { method: 'DELETE', headers: inSession })).status).toBe(200)
      expect([await ask(service.mcp_url), await ask(beside.mcpUrl)]).toEqual([404, 404])
    })

    test('a key has its requests a minute, its day and its place in the record once, not once for each', async () => {
      const { key: few = '' } = await asAdmin(service.api_url, 'POST', '/mcp-keys', {
        name: 'Few a minute',
        requests_per_minute: 5,
      })
      const bases = [service.api_url, beside.apiUrl] as const
      const asked: number[] = []
      for (let n = 0; n < 8; n += 1) asked.push(await statusAt(bases[n % 2]!, few))
      expect(asked).toEqual([200, 200, 200, 200, 200, 429, 429, 429])
      const { key: day = '' } = await asAdmin(service.api_url, 'POST', '/mcp-keys', {
        name: 'Few a day',
        questions_per_day: 3,
      })
      const ofDay: number[] = []
      for (let n = 0; n < 5; n += 1) ofDay.push(await statusAt(bases[n % 2]!, day))
      expect(ofDay).toEqual([200, 200, 200, 429, 429])
      const { stdout } = await runEarshot(['audit', 'verify', '--json', '--data-dir', dataDir], { env })
      const found = JSON.parse(stdout) as { readonly ok: boolean; readonly segments: number }
      expect(found).toMatchObject({ ok: true, findings: [] })
      expect(found.segments).toBeGreaterThan(1)
    })

    test('what a key hears by a team is as the other set it within seconds', async () => {
      const [{ agent_name: agent = '' } = {}] = ((await rest('/api/v1/interactions?limit=1')).body['interactions'] ??
        []) as readonly { readonly agent_name?: string }[]
      await asAdmin(service.api_url, 'POST', '/teams', { team_id: 'few', agents: [agent] })
      const { key = '' } = await asAdmin(service.api_url, 'POST', '/mcp-keys', { name: 'Few', teams: ['few'] })
      const callsAtOther = async () => {
        const answer = await fetch(`${beside.apiUrl}/api/v1/calls?limit=1`, {
          headers: { authorization: `Bearer ${key}` },
        })
        return ((await answer.json()) as { readonly total: number }).total
      }
      expect(await callsAtOther()).toBeGreaterThan(0)
      await asAdmin(service.api_url, 'PATCH', '/teams/few', { agents: ['Nobody Known'] })
      await expect.poll(callsAtOther, { timeout: 5_000 }).toBe(0)
    })

    test('commands work beside them', async () => {
      const elsewhere = join(dataDir, 'elsewhere')
      mkdirSync(elsewhere)
      const { code, stdout } = await runEarshot(['project', 'list', '--json', '--data-dir', elsewhere], { env })
      expect([code, stdout]).toEqual([0, expect.stringContaining(service.project_id)])
    })
  })

  test('that is killed is followed by another, which has all that was acknowledged', async () => {
    const exported = async (from: string) =>
      (await runEarshot(['export', '--project', service.project_id, '--data-dir', from], { env })).stdout
    const before = await exported(dataDir)
    expect(before.match(/^\{"session_id":/gm)).toHaveLength(CALLS)
    await service.end('SIGKILL')
    server.hello = { localTime: new Date(Date.now() + LEASE_OVER_MS) }
    // From another machine: what is in the data directory of the first is not there.
    const other = join(dataDir, 'other')
    mkdirSync(other)
    expect(await exported(other)).toBe(before)
    server.hello = {}
    // It was given back: the next has it at once.
    expect(await exported(other)).toBe(before)
  })

  test('takes no process with other secrets, and leaves none of its own in the data directory', async () => {
    const other = { ...env, EARSHOT_SECRET: 'what some other processes are told, by mistake' }
    const { stdout } = await runEarshot(['doctor', '--data-dir', dataDir], { env: other })
    expect(stdout).toMatch(/fail +Store +Of the secrets of this process .*cursor\.key \(EARSHOT_SECRET\)/)
    const { code, stderr } = await runEarshot(['project', 'list', '--data-dir', dataDir], { env: other })
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^Of the secrets of this process .* are not what the store was/),
    ])
    const { stderr: none } = await runEarshot(['project', 'list'], { env: { EARSHOT_STORE_URL: server.url } })
    expect(none).toMatch(/set EARSHOT_SECRET or EARSHOT_SECRET_FILE/)
    expect(readdirSync(dataDir).filter(name => /\.(?:key|secret)$/.test(name))).toEqual(['demo.key'])
    const held = ['fingerprints', 'secrets'].map(name => JSON.stringify(server.documents(name))).join()
    expect(held).not.toContain(SECRET)
  })

  test('keeps the audit trail, which commands verify and export, and none of it in the data directory', async () => {
    const audit = async (...args: string[]) => await runEarshot(['audit', ...args, '--data-dir', dataDir], { env })
    const { stdout } = await audit('verify')
    expect(stdout).toMatch(/^\d+ lines in \d+ chains carry the seal of what they say\.\nNothing was changed/)
    const lines = (await audit('export')).stdout
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(lines).toContainEqual(expect.objectContaining({ page: 'get_call_detail', outcome: 'ok' }))
    expect(lines.length).toBe(server.documents('activity').length)
    const asked = server.documents('activity').find(line => line['page'] === 'get_call_detail')
    const { stdout: heard } = await audit('heard', detail, '--project', service.project_id, '--json')
    expect(JSON.parse(heard).requests).toMatchObject([{ request_id: asked?.['request_id'] }])
    expect(existsSync(join(dataDir, 'activity'))).toBe(false)
  })

  test('is missed where none was begun', async () => {
    const url = new URL(server.url)
    url.pathname = '/typo'
    const { code, stderr } = await runEarshot(['calls', '--project', 'x', '--data-dir', dataDir], {
      env: { ...env, EARSHOT_STORE_URL: url.href },
    })
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^There is no store at 127\.0\.0\.1:\d+\/typo\. Name yours with EARSHOT_STORE_URL/),
    ])
  })
})
