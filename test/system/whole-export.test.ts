import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { openDuckDbStore } from '../../src/store/duckdb/open-duckdb-store.js'
import { callTool, connectClient } from '../support/mcp-client.js'
import { runEarshot } from '../support/run-earshot.js'
import { type RunningServer, startServer } from '../support/start-server.js'

const scratch = mkdtempSync(join(tmpdir(), 'earshot-test-'))
afterAll(() => rmSync(scratch, { recursive: true }))
const at = (name: string) => join(scratch, name)

/** The command over one data directory. */
function earshot(name: string) {
  const dataDir = at(name)
  const run = (args: readonly string[], input?: string) =>
    runEarshot([...args, '--data-dir', dataDir], input === undefined ? {} : { input })
  const done = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await run(args)
    if (code !== 0) throw new Error(`${args.join(' ')}: ${stderr}`)
    return stdout
  }
  return { dataDir, run, done }
}

const entriesOf = (exported: string) =>
  exported
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
    .filter(one => 'entry' in one)

const there = earshot('there')
const here = earshot('here')

// oxlint-disable-next-line typescript/no-explicit-any -- a test reads what came, whatever it is
type Ask = (method: string, path: string, body?: object) => Promise<any>

/** The API of a running server, for an administrator. */
async function apiOf({ apiUrl }: RunningServer, done: typeof there.done): Promise<Ask> {
  const token = (await done('admin-token', '--role', 'SuperAdmin')).trim()
  const headers = { authorization: `Bearer ${token}`, 'x-project-id': 'shop' }
  return async (method, path, body) => {
    const init = body === undefined ? {} : { body: JSON.stringify(body) }
    const json = body === undefined ? {} : { 'content-type': 'application/json' }
    const answer = await fetch(`${apiUrl}${path}`, { method, headers: { ...headers, ...json }, ...init })
    if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`)
    return await answer.json()
  }
}

/** What a key of a whole project is told by tools, and an administrator of what tools don't tell. */
async function told({ mcpUrl }: RunningServer, ask: Ask, sessionId: string) {
  const { key } = await ask('POST', '/projects/shop/mcp-keys', { name: 'k' })
  const client = await connectClient(mcpUrl, key)
  try {
    const window = { date_from: '2020-01-01', date_to: '2030-01-01' }
    const asks = [
      ['get_project_context', {}],
      ['get_project_summary', window],
      ['search_calls', { ...window, limit: 50 }],
      ['get_call_detail', { session_id: sessionId, include_conditions: true }],
      ['get_agent_performance', { ...window, min_calls: 1, include_signals: true }],
      ['get_signals', { active_only: false, limit: 200 }],
      ['search_guidance', { active_only: false, limit: 100 }],
      ['query_knowledge_base', { query: 'refunds' }],
    ] as const
    const answers = new Map<string, unknown>()
    for (const [tool, args] of asks) {
      // Cursors are sealed by each installation.
      const { next_cursor: _, ...answer } = await callTool(client, tool, args)
      answers.set(tool, answer)
    }
    answers.set('feedback', await ask('GET', `/api/v1/interactions/${sessionId}/feedback`))
    const { set_at: _, set_by: __, ...first } = await ask('GET', '/api/v1/rubric?version=project-1')
    return answers.set('first rubric', first)
  } finally {
    await client.close()
  }
}

test('a project goes into another installation whole: its tools answer the same, and it comes out byte for byte', async () => {
  const { done } = there
  await done('project', 'create', 'shop', '--name', 'The shop', '--timezone', 'Europe/Berlin')
  const { stdout: calls } = await runEarshot(['generate', '--calls', '120', '--seed', '4'])
  const { stdout: bare } = await runEarshot(['generate', '--calls', '8', '--seed', '5', '--unevaluated'])
  const server = await startServer(there.dataDir)
  // Mixed: evaluated where they come from, and not evaluated at all, which the setting of the project would do.
  await there.run(['import', '-', '--project', 'shop', '--no-evaluate'], `${calls}${bare}`)
  const ask = await apiOf(server, done)
  await ask('PATCH', '/api/v1/projects/shop', { redact: true })
  const { text } = await ask('GET', '/api/v1/rubric')
  await ask('PUT', '/api/v1/rubric', { text: `# Ours\n${text}` })
  await ask('PUT', '/api/v1/rubric', { built_in: 'sales-calls' })
  await ask('PUT', '/api/v1/rubric', { text: `# Newer\n${text}` })
  const sections = [{ title: 'Refunds', text: 'Within 14 days.' }]
  await ask('POST', '/api/v1/knowledge-base', { name: 'refunds.md', title: 'Refunds', sections })
  const poor = { name: 'Poor', condition: { kind: 'score_below', threshold: 2 }, agents: ['Sam Lee'] }
  await ask('POST', '/api/v1/alerts', poor)
  const rare = { name: 'Rare', condition: { kind: 'signal_present', signal_key: 'sig.escalation' } }
  const { alert_id } = await ask('POST', '/api/v1/alerts', rare)
  await ask('PATCH', `/api/v1/alerts/${alert_id}`, { active: false })
  const hook = { url: 'https://hooks.example.com/earshot', events: ['alert.triggered', 'feedback.created'] }
  const { secret, webhook_id } = await ask('POST', '/api/v1/webhooks', hook)
  await ask('PATCH', `/api/v1/webhooks/${webhook_id}`, { active: false })
  const schedule = { cron: '0 3 * * *', time_zone: 'Europe/Berlin' }
  const task = { name: 'Old', kind: 'retention', schedule, parameters: { calls_after_days: 9000 } }
  await ask('POST', '/api/v1/tasks', task)
  const [first, second] = calls.split('\n').map(line => (line === '' ? '' : JSON.parse(line).session_id))
  await ask('POST', `/api/v1/interactions/${first}/feedback`, { rating: 5, text: 'Grüße: "gut"' })
  await ask('POST', `/api/v1/interactions/${first}/feedback`, { rating: 1 })
  await ask('POST', `/api/v1/interactions/${second}/feedback`, { rating: 2, text: 'Poor' })

  const exported = await done('export', '--project', 'shop')
  const kinds = entriesOf(exported).map(({ entry }) => entry)
  expect(kinds.slice(0, 5)).toEqual(['project', 'rubric', 'rubric', 'rubric', 'document'])
  expect(kinds.slice(5)).toEqual([...Array(2).fill('feedback'), 'alert', 'alert', 'webhook', 'task'])
  expect(exported).not.toContain(secret)
  const answers = await told(server, ask, first)
  await server.end()
  // Without a server the same, and compressed.
  const file = at('shop.ndjson.gz')
  const report = JSON.parse(await done('export', file, '--project', 'shop', '--json'))
  expect(report).toMatchObject({ calls: 128, entries: 11, bytes: Buffer.byteLength(exported) })
  expect(gunzipSync(readFileSync(file)).toString() === exported).toBe(true)

  await here.done('project', 'create', 'shop')
  const taken = JSON.parse(await here.done('import', file, '--project', 'shop', '--json'))
  expect(taken).toMatchObject({ stored: 128, rejected: 0, entries: { added: 11, unchanged: 0 } })
  expect(taken.entries.secrets).toMatchObject([{ url: hook.url, secret: expect.stringMatching(/^whsec_/) }])
  expect(taken.entries.secrets[0].secret).not.toBe(secret)
  const running = await startServer(here.dataDir)
  expect((await here.done('export', '--project', 'shop')) === exported).toBe(true)
  const asking = await apiOf(running, here.done)
  expect(await told(running, asking, first)).toEqual(answers)

  // Again, and through the running server: it is all there. Into a project that masks nothing comes in unmasked.
  const again = JSON.parse(await here.done('import', file, '--project', 'shop', '--json'))
  expect(again).toMatchObject({ stored: 128, rejected: 0, entries: { added: 0, unchanged: 11, secrets: [] } })
  expect(again.redacted.email).toBeGreaterThan(0)
  await running.end()
})

test('parts can be had alone: calls as any reader of NDJSON takes them, and settings for another project', async () => {
  const all = await there.done('export', '--project', 'shop')
  const calls = await there.done('export', '--only', 'calls', '--project', 'shop')
  const settings = await there.done('export', '--only', 'settings', '--project', 'shop')
  expect(entriesOf(calls)).toEqual([])
  const kept = entriesOf(all).filter(({ entry }) => entry !== 'feedback')
  expect(entriesOf(settings)).toEqual(kept)
  expect(all.split('\n').filter(line => !line.startsWith('{"entry":'))).toEqual(calls.split('\n'))
  await there.done('project', 'create', 'copy')
  writeFileSync(at('settings.ndjson'), settings)
  await there.done('import', at('settings.ndjson'), '--project', 'copy')
  expect((await there.done('export', '--project', 'copy')) === settings).toBe(true)
})

test('what was erased stays out, and what was said about it too, until it is asked for', async () => {
  await here.done('project', 'set', 'shop', '--redact', 'off')
  const exported = await here.done('export', '--project', 'shop')
  const { session_id: id } = entriesOf(exported).find(({ entry }) => entry === 'feedback')
  await here.done('erase', id, '--project', 'shop')
  const importing = async (...flags: string[]) => {
    const { code, stdout } = await here.run(['import', '-', '--project', 'shop', '--json', ...flags], exported)
    return { code, report: JSON.parse(stdout) }
  }
  const { code, report } = await importing()
  expect(code).toBe(1)
  expect(report.errors.map(({ message }: { message: string }) => message)).toEqual([
    expect.stringContaining('erased on request'),
    ...Array(report.errors.length - 1).fill(expect.stringContaining('a call that is not there, or was erased')),
  ])
  expect(report.errors.length).toBeGreaterThan(1)
  expect(await here.done('export', '--project', 'shop')).not.toContain(id)
  expect((await importing('--restore-erased')).code).toBe(0)
  expect((await here.done('export', '--project', 'shop')) === exported).toBe(true)
})

test('an import that masks personal data masks what was said about calls too, and counts it', async () => {
  const { done, run } = earshot('masking')
  await done('project', 'create', 'shop')
  const said = { session_id: 'a', feedback_id: `fb_${'1'.repeat(24)}`, rating: 1, text: 'Card 4111 1111 1111 1111' }
  const entry = { entry: 'feedback', created_at: '2026-03-02T10:00:00.000Z', created_by: 'k', ...said }
  const lines = [
    '{"entry":"project","name":"x","timezone":"UTC"}',
    '{"session_id": "a", "agent_name": "Ana", "created_dt": "2026-03-01T10:00:00Z"}',
    JSON.stringify(entry),
  ]
  const { stdout } = await run(['import', '-', '--project', 'shop', '--redact', '--json'], lines.join('\n'))
  expect(JSON.parse(stdout)).toMatchObject({ entries: { added: 2 }, redacted: { card: 1 } })
  const kept = entriesOf(await done('export', '--project', 'shop')).find(one => one.entry === 'feedback')
  expect(kept).toEqual({ ...entry, about: 'call', text: 'Card [card]' })
})

test('versions of the rubric that can not be read any more go along as they were set, and are told of', async () => {
  const { dataDir, done, run } = earshot('old')
  await done('project', 'create', 'shop')
  const set = { project_id: 'shop', set_at: '2026-01-01T00:00:00.000Z', set_by: 'ada' }
  const store = await openDuckDbStore({ dataDir, memoryLimit: '256MB', threads: 1 })
  await store.rubrics.add({ ...set, version: 1, text: 'name: of another time' })
  await store.rubrics.add({ ...set, version: 2, built_in: 'gone' })
  await store.close()
  const own = await done('rubric', 'show', '--built-in', 'sales-calls')
  writeFileSync(at('own.yaml'), own)
  await done('rubric', 'set', at('own.yaml'), '--project', 'shop')

  const { code, stdout: exported, stderr } = await run(['export', '--project', 'shop'])
  expect(code).toBe(0)
  expect(entriesOf(exported).filter(({ entry }) => entry === 'rubric')).toEqual([
    { entry: 'rubric', text: 'name: of another time' },
    { entry: 'rubric', built_in: 'gone' },
    { entry: 'rubric', text: own, in_force: true },
  ])
  expect(stderr.trimEnd().split('\n')).toEqual([
    expect.stringMatching(
      /^Version project-1 of the rubric is in the export as it was set\. .*version 1\) can't be read/,
    ),
    expect.stringMatching(/^Version project-2 of the rubric is in the export as it was set\. .*"gone"/),
  ])
  const report = JSON.parse(await done('export', at('old.ndjson'), '--project', 'shop', '--json'))
  expect(report.unreadable).toMatchObject([{ version: 'project-1' }, { version: 'project-2' }])

  const there = earshot('new')
  await there.done('project', 'create', 'shop')
  const taken = JSON.parse(await there.done('import', at('old.ndjson'), '--project', 'shop', '--json'))
  expect(taken.entries).toMatchObject({ added: 3, unchanged: 1, unreadable: [{ version: 'project-1' }, {}] })
  expect((await there.run(['export', '--project', 'shop'])).stdout === exported).toBe(true)
  expect(await there.done('rubric', 'show', '--project', 'shop')).toBe(own)
  // Each version can be had, to be mended; a list tells which can't be read.
  const old = await there.run(['rubric', 'show', '--project', 'shop', '--revision', 'project-1'])
  expect(old).toMatchObject({ code: 0, stdout: 'name: of another time', stderr: expect.stringContaining('Line 1') })
  expect(await there.done('rubric', 'show', '--project', 'shop', '--revisions')).toMatch(
    /^project-1  can't be read  .*\nproject-2  gone \(can't be read\)  .*\nproject-3  sales-calls  /,
  )
  const again = await there.run(['import', at('old.ndjson'), '--project', 'shop'])
  expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('4 were there as they are') })
})

test('an entry that is wrong is told with its line, and costs nothing else', async () => {
  const { done, run } = earshot('faulty')
  await done('project', 'create', 'shop')
  const lines = [
    '{"entry":"project","name":"x","timezone":"UTC"}',
    '{"entry":"alert","name":"x"}',
    '{"entry":"moon"}',
    '{"entry":"document", nonsense',
    '{"session_id": "a", "agent_name": "Ana", "created_dt": "2026-03-01T10:00:00Z"}',
    '{"session_id": "b"}',
    '{"entry":"task","name":"x","kind":"import_folder","schedule":{"cron":"* * * * *","time_zone":"UTC"},"parameters":{"folder":"x"},"enabled":true}',
    '{"entry":"webhook","url":"https://10.0.0.1/","events":["alert.triggered"],"active":true}',
  ]
  const { code, stdout } = await run(['import', '-', '--project', 'shop', '--json'], lines.join('\n'))
  const report = JSON.parse(stdout)
  expect(code).toBe(1)
  expect(report).toMatchObject({ stored: 1, entries: { added: 1, unchanged: 0 } })
  expect(report.errors.map(({ line }: { line: number }) => line)).toEqual([2, 3, 4, 6, 7, 8])
  expect(report.errors[2].message).toContain('is not JSON')
  expect(JSON.parse(await done('project', 'show', 'shop', '--json'))).toMatchObject({ name: 'x' })
  const unknown = await run(['import', '-', '--project', 'nowhere'], lines[0])
  expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('Project not found') })
})
