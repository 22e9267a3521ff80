import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Ask, askBy } from '../../src/cli/connection.js'
import { withClient } from '../../src/cli/with-client.js'
import { addAlert, changeAlert } from '../../src/operations/alerts.js'
import { toolOperations } from '../../src/operations/ask-questions.js'
import { giveFeedback, listFeedback } from '../../src/operations/feedback.js'
import { putDocument } from '../../src/operations/knowledge-base.js'
import { changeProject } from '../../src/operations/projects.js'
import { getRubric, setRubric } from '../../src/operations/rubrics.js'
import { createTask } from '../../src/operations/tasks.js'
import { addWebhook, changeWebhook } from '../../src/operations/webhooks.js'
import { openDuckDbStore } from '../../src/store/duckdb/open-duckdb-store.js'
import { runEarshot } from '../support/run-earshot.js'
import { startServer } from '../support/start-server.js'
import { isWhole } from '../support/whole.js'

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
  const asking = <T>(work: (ask: Ask) => Promise<T>): Promise<T> =>
    withClient({ dataDir }, client => work(askBy(client, 'shop')))
  return { dataDir, run, done, asking }
}

const entriesOf = (exported: string) =>
  exported
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
    .filter(one => 'entry' in one)

const HOOK = { url: 'https://hooks.example.com/earshot', events: ['alert.triggered', 'feedback.created'] }

// Where it comes from nobody runs; where it goes to a server does, which commands ask.
const there = earshot('there')
const here = earshot('here')
beforeAll(async () => {
  const running = await startServer(here.dataDir)
  return async () => void (await running.end())
})

/** What is told of a project by the questions that are tools, and what they don't tell. */
async function told(ask: Ask, sessionId: string) {
  const window = { date_from: '2020-01-01', date_to: '2030-01-01' }
  const tools = [
    ['get_project_context', {}],
    ['get_project_summary', window],
    ['search_calls', { ...window, limit: 50 }],
    ['get_call_detail', { session_id: sessionId, include_conditions: true }],
    ['get_agent_performance', { ...window, min_calls: 1, include_signals: true }],
    ['get_signals', { active_only: false, limit: 200 }],
    ['search_guidance', { active_only: false, limit: 100 }],
    ['query_knowledge_base', { query: 'refunds' }],
  ] as const
  const answers = new Map<string, object>()
  // Cursors are sealed by each installation.
  for (const [tool, args] of tools)
    answers.set(tool, { ...(await ask(toolOperations[tool], args)), next_cursor: undefined })
  answers.set('feedback', await ask(listFeedback, { interaction_id: sessionId }))
  const { set_at: _, set_by: __, ...first } = await ask(getRubric, { version: 'project-1' })
  return answers.set('first rubric', first)
}

test('a project goes into another installation whole: its questions are answered the same, and it comes out byte for byte', async () => {
  const { done } = there
  await done('project', 'create', 'shop', '--name', 'The shop', '--timezone', 'Europe/Berlin')
  const { stdout: calls } = await runEarshot(['generate', '--calls', '60', '--seed', '4'])
  const { stdout: bare } = await runEarshot(['generate', '--calls', '8', '--seed', '5', '--unevaluated'])
  // Mixed: evaluated where they come from, and not evaluated at all, which the setting of the project would do.
  await there.run(['import', '-', '--project', 'shop', '--no-evaluate'], `${calls}${bare}`)
  const [first, second] = calls.split('\n').map(line => (line === '' ? '' : JSON.parse(line).session_id))
  const { answers, secret } = await there.asking(async ask => {
    await ask(changeProject, { redact: true })
    const { text } = await ask(getRubric, {})
    await ask(setRubric, { text: `# Ours\n${text}` })
    await ask(setRubric, { built_in: 'sales-calls' })
    await ask(setRubric, { text: `# Newer\n${text}` })
    const sections = [{ title: 'Refunds', text: 'Within 14 days.' }]
    await ask(putDocument, { name: 'refunds.md', title: 'Refunds', sections })
    const poor = { name: 'Poor', condition: { kind: 'score_below', threshold: 2 }, agents: ['Sam Lee'] }
    await ask(addAlert, poor)
    const rare = { name: 'Rare', condition: { kind: 'signal_present', signal_key: 'sig.escalation' } }
    const { alert_id } = await ask(addAlert, rare)
    await ask(changeAlert, { alert_id, active: false })
    const { secret, webhook_id } = await ask(addWebhook, HOOK)
    await ask(changeWebhook, { webhook_id, active: false })
    const schedule = { cron: '0 3 * * *', time_zone: 'Europe/Berlin' }
    await ask(createTask, { name: 'Old', kind: 'retention', schedule, parameters: { calls_after_days: 9000 } })
    await ask(giveFeedback, { interaction_id: first, rating: 5, text: 'Grüße: "gut"' })
    await ask(giveFeedback, { interaction_id: first, rating: 1 })
    await ask(giveFeedback, { interaction_id: second, rating: 2, text: 'Poor' })
    return { secret, answers: await told(ask, first) }
  })

  const exported = await done('export', '--project', 'shop')
  const kinds = entriesOf(exported).map(({ entry }) => entry)
  expect(kinds.slice(0, 5)).toEqual(['project', 'rubric', 'rubric', 'rubric', 'document'])
  expect(kinds.slice(5)).toEqual([...Array(2).fill('feedback'), 'alert', 'alert', 'webhook', 'task'])
  expect(exported).not.toContain(secret)
  // In a file it is compressed.
  const file = at('shop.ndjson.gz')
  const report = JSON.parse(await done('export', file, '--project', 'shop', '--json'))
  expect(report).toMatchObject({ calls: 68, entries: 11, bytes: Buffer.byteLength(exported) })
  expect(gunzipSync(readFileSync(file)).toString() === exported).toBe(true)

  await here.done('project', 'create', 'shop')
  const taken = JSON.parse(await here.done('import', file, '--project', 'shop', '--json'))
  expect(taken).toMatchObject({ stored: 68, rejected: 0, entries: { added: 11, unchanged: 0 } })
  expect(taken.entries.secrets).toMatchObject([{ url: HOOK.url, secret: expect.stringMatching(/^whsec_/) }])
  expect(taken.entries.secrets[0].secret).not.toBe(secret)
  expect((await here.done('export', '--project', 'shop')) === exported).toBe(true)
  expect(await here.asking(ask => told(ask, first))).toEqual(answers)

  // Again: it is all there. Into a project that masks nothing comes in unmasked.
  const again = JSON.parse(await here.done('import', file, '--project', 'shop', '--json'))
  expect(again).toMatchObject({ stored: 68, rejected: 0, entries: { added: 0, unchanged: 11, secrets: [] } })
  expect(again.redacted.email).toBeGreaterThan(0)
})

test.runIf(isWhole)(
  'parts can be had alone: calls as any reader of NDJSON takes them, and settings for another project',
  async () => {
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
  },
)

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
  const { done } = earshot('masking')
  await done('project', 'create', 'shop')
  const said = { session_id: 'a', feedback_id: `fb_${'1'.repeat(24)}`, rating: 1, text: 'Card 4111 1111 1111 1111' }
  const entry = { entry: 'feedback', created_at: '2026-03-02T10:00:00.000Z', created_by: 'k', ...said }
  const lines = [
    '{"entry":"project","name":"x","timezone":"UTC"}',
    '{"session_id": "a", "agent_name": "Ana", "created_dt": "2026-03-01T10:00:00Z"}',
    JSON.stringify(entry),
  ]
  writeFileSync(at('said.ndjson'), lines.join('\n'))
  const stdout = await done('import', at('said.ndjson'), '--project', 'shop', '--redact', '--json')
  expect(JSON.parse(stdout)).toMatchObject({ entries: { added: 2 }, redacted: { card: 1 } })
  const kept = entriesOf(await done('export', '--project', 'shop')).find(one => one.entry === 'feedback')
  expect(kept).toEqual({ ...entry, about: 'call', text: 'Card [card]' })
})

test.runIf(isWhole)(
  'versions of the rubric that can not be read any more go along as they were set, and are told of',
  async () => {
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
  },
)

test('an entry that is wrong is told with its line, and costs nothing else', async () => {
  const { done, run } = here
  await done('project', 'create', 'faulty')
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
  writeFileSync(at('faulty.ndjson'), lines.join('\n'))
  const { code, stdout } = await run(['import', at('faulty.ndjson'), '--project', 'faulty', '--json'])
  const report = JSON.parse(stdout)
  expect(code).toBe(1)
  expect(report).toMatchObject({ stored: 1, entries: { added: 1, unchanged: 0 } })
  expect(report.errors.map(({ line }: { line: number }) => line)).toEqual([2, 3, 4, 6, 7, 8])
  expect(report.errors[2].message).toContain('is not JSON')
  expect(JSON.parse(await done('project', 'show', 'faulty', '--json'))).toMatchObject({ name: 'x' })
  const unknown = await run(['import', '-', '--project', 'nowhere'], lines[0])
  expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('Project not found') })
})
