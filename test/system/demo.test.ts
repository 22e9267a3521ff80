import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { portState } from '../../src/rest/port-state.js'
import { questions } from '../../src/questions/questions.js'
import { callTool, connectClient, ways } from '../support/mcp-client.js'
import { cleanEnvironment, runEarshot } from '../support/run-earshot.js'
import { type RunningService, startService } from '../support/start-service.js'
import { tempDir } from '../support/temp-dir.js'

const CALLS = 60
const scratch = mkdtempSync(join(tmpdir(), 'earshot-demo-'))
const filled = join(scratch, 'demo-data')
// Started once; each of the second starts has a copy of what that left.
let service: RunningService
beforeAll(async () => {
  service = await startService({ dataDir: filled, calls: CALLS, fills: true })
})
afterAll(async () => {
  await service.end()
  rmSync(scratch, { recursive: true, force: true })
})

describe('earshot demo', () => {
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
      expect(context.volume.calls).toBe(CALLS)
      expect(context.scope).toMatchObject({ full_project: true })

      const found = await callTool(client, 'search_calls', { limit: 3 })
      expect(found).toMatchObject({ count: 3, total: CALLS })

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

  test('has help pages, so that no tool only refuses', async () => {
    const client = await connectClient(service.mcp_url, service.application_key)
    const { knowledge_base: base } = await callTool(client, 'get_project_context')
    expect(base).toEqual({ configured: true, documents: 3 })
    const { items } = await callTool(client, 'query_knowledge_base', { query: 'refund late' })
    expect(items[0]).toMatchObject({ title: expect.stringContaining('refund') as string })
    await client.close()
  })

  test('pages through every call once', async () => {
    const client = await connectClient(service.mcp_url, service.application_key)
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await callTool(client, 'search_calls', { limit: 20, ...(cursor === undefined ? {} : { cursor }) })
      seen.push(...page.calls.map((call: { session_id: string }) => call.session_id))
      cursor = page.next_cursor
    } while (cursor !== undefined)
    await client.close()
    expect(new Set(seen).size).toBe(CALLS)
    expect(seen).toHaveLength(CALLS)
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
    expect(await answer.text()).toContain(`\\"calls\\":${CALLS}`)
  })

  test('logs who came in, and never the key or the token', () => {
    const { stderr } = service.output()
    expect(stderr).toContain(`MCP auth via application_key: project_id=${service.project_id} app=`)
    expect(stderr).not.toContain(service.application_key)
    expect(stderr).not.toContain(service.admin_token)
  })

  test('keeps its directory to itself', () => {
    expect(statSync(filled).mode & 0o777).toBe(0o700)
    expect(statSync(join(filled, 'earshot.duckdb')).mode & 0o777).toBe(0o600)
  })

  test('tells a second server who holds the directory, and serves commands', async () => {
    const second = await runEarshot(['demo', '--json', '--port', '0', '--mcp-port', '0', '--data-dir', filled])
    expect(second.code).toBe(1)
    expect(second.stdout).toBe('')
    expect(second.stderr).toContain(`in use by process ${service.process.pid} (earshot demo)`)

    const keys = await runEarshot(['keys', 'list', '--project', 'demo', '--data-dir', filled])
    expect(keys).toMatchObject({ code: 0, stderr: '' })
    expect(keys.stdout).toContain('Demo')
  })

  test.each(['port', 'mcp-port'] as const)('says that --%s is taken before it makes anything', async option => {
    const { port } = new URL(service.api_url)
    const other = join(scratch, 'other')
    const ports = { port: '0', 'mcp-port': '0', [option]: port }
    const given = Object.entries(ports).flatMap(([name, value]) => [`--${name}`, value])
    const refused = await runEarshot(['demo', ...given, '--data-dir', other, '--calls', '10'])
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain(`Port ${port} on 127.0.0.1 is in use`)
    expect(refused.stderr).not.toContain('sample calls')
    expect(existsSync(other)).toBe(false)
  })
})

describe('a second start of the demo', () => {
  let ended: Awaited<ReturnType<RunningService['end']>>
  let keyId: string
  let dataDir: string
  beforeAll(async () => {
    const keys = await fetch(`${service.api_url}/projects/demo/mcp-keys`, {
      headers: { authorization: `Bearer ${service.admin_token}` },
    })
    keyId = ((await keys.json()) as { keys: readonly { key_id: string }[] }).keys[0]?.key_id ?? ''
    ended = await service.end('SIGTERM')
  })
  beforeEach(() => {
    dataDir = tempDir()
    cpSync(filled, dataDir, { recursive: true })
  })
  const start = (...more: string[]) => startService({ dataDir, calls: CALLS, more })
  const calls = async ({ mcp_url: url }: Started, key: string): Promise<number> => {
    const client = await connectClient(url, key)
    try {
      return (await callTool(client, 'get_project_context')).volume.calls
    } finally {
      await client.close()
    }
  }

  test('by npm fills nothing anew, keeps the key in a file of its owner’s only, makes an admin token for an hour, and ends with npm and lets all go', async () => {
    expect(ended).toEqual({ code: 0, signal: null })
    const log = await npmRunDemo(dataDir, async second => {
      expect(second.application_key).toBe(service.application_key)
      expect(await calls(second, service.application_key)).toBe(CALLS)
      const { admin_token: token, api_url: url, project_id: project } = second
      const { iat, exp } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
      expect(exp - iat).toBe(3_600)
      const headers = { authorization: `Bearer ${token}` }
      expect((await fetch(`${url}/projects/${project}/mcp-keys`, { headers })).status).toBe(200)
    })
    expect(log).not.toContain('there is a new one')
    expect(statSync(join(dataDir, 'demo.key')).mode & 0o777).toBe(0o600)
  })

  test('with --new-key ends what was handed out before', async () => {
    const second = await start('--new-key')
    expect(second.application_key).not.toBe(service.application_key)
    await expect(connectClient(second.mcp_url, service.application_key)).rejects.toThrow(/Invalid or inactive API key/)
    expect(await calls(second, second.application_key)).toBe(CALLS)
    const keys = `${second.api_url}/projects/${second.project_id}/mcp-keys`
    const old = await fetch(keys, { headers: { authorization: `Bearer ${service.admin_token}` } })
    expect(old.status).toBe(401)
    await second.end()
  })

  // Of keys that are no longer good in other ways: test/cli/demo/demo-key.test.ts.
  test('replaces a key that was revoked, and says so', async () => {
    await runEarshot(['keys', 'revoke', keyId, '--project', 'demo', '--data-dir', dataDir])
    const second = await start()
    expect(second.application_key).not.toBe(service.application_key)
    expect(second.output().stderr).toContain('The key of the starts before is revoked or unknown; there is a new one')
    expect(await calls(second, second.application_key)).toBe(CALLS)
    await second.end()
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

type Started = Pick<RunningService, 'api_url' | 'mcp_url' | 'project_id' | 'application_key' | 'admin_token'>

/** `npm run demo`, what is done while it runs, and then until npm has ended and its port is free; what it logged. */
async function npmRunDemo(dataDir: string, whileItRuns: (started: Started) => Promise<void>): Promise<string> {
  // Without its pre-script, which would build the program anew under the other tests.
  const demo = ['run', '--ignore-scripts', 'demo', '--', '--json', '--port', '0', '--mcp-port', '0']
  const npm = spawn('npm', [...demo, '--data-dir', dataDir], {
    env: cleanEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  onTestFinished(() => {
    try {
      process.kill(-(npm.pid ?? 0), 'SIGKILL')
    } catch {
      // Nothing of its group is left, as it should be.
    }
  })
  const ended = once(npm, 'exit')
  let log = ''
  npm.stderr.setEncoding('utf8').on('data', (text: string) => (log += text))
  const ready = await new Promise<string>((resolve, reject) => {
    let said = ''
    npm.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text
      if (said.includes('}\n')) resolve(said)
    })
    void ended.then(() => reject(new Error(`npm ended before the demo was ready: ${said}`)))
  })
  const started = JSON.parse(ready.slice(ready.indexOf('{"api_url"'))) as Started
  await whileItRuns(started)
  npm.kill('SIGTERM')
  await ended
  await expect.poll(() => portState('127.0.0.1', Number(new URL(started.api_url).port))).toBe('free')
  return log
}
