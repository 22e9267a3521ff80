import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { detectChanges } from '../../src/questions/detect-changes.js'
import { changesReported } from '../../src/events/kinds/changes-reported.js'
import { projectDigest } from '../../src/events/kinds/project-digest.js'
import { TableExports } from '../../src/questions/export/table-exports.js'
import { Reports } from '../../src/tasks/reports.js'
import type { TaskServices } from '../../src/tasks/task-services.js'
import type { ReportStore } from '../../src/store/report-store.js'
import { eraseCalls } from '../../src/ingest/erase-calls.js'
import { generateCalls } from '../../src/demo/generate-calls.js'
import { refusal, silent } from '../support/access.js'
import { createModelClient } from '../../src/evaluation/model/model-client.js'
import { createBatchClient } from '../../src/evaluation/model/create-batch-client.js'
import { type ModelRuns, modelRuns } from '../../src/evaluation/run/model-runs.js'
import { aServer, endpoint, goodCall, MemoryAnswers } from '../evaluation/model/support.js'
import { BatchServer } from '../support/batch-server.js'
import { plainAnswer } from '../support/model-server.js'
import { simulate } from '../evaluation/lift/simulated-calls.js'
import { NOW, overOneStore, record } from './kinds-over.js'
import { InProcessLeases } from '../../src/store/in-process-leases.js'
import { tempDir } from '../support/temp-dir.js'
import { services } from './support.js'

const note = { by: 'test', how: 'call' } as const

const kindsOver = overOneStore()

/** A file that nobody has touched for a while. */
function settled(path: string, text: string): void {
  writeFileSync(path, text)
  utimesSync(path, new Date(NOW - 120_000), new Date(NOW - 120_000))
}

describe('import_folder', () => {
  it('evaluates calls that bring no evaluation as they come in', async () => {
    const { project, run, drop, store } = await kindsOver()
    const transcript = [{ turn: 0, actor: 'agent', text: 'Thank you for calling, how can I help you?' }]
    settled(join(drop, 'a.ndjson'), `${record('a', { transcript })}\n${record('b', { transcript, score: 4 })}\n`)
    expect((await run('import_folder', { folder: 'drop' })).result).toMatchObject({
      calls_stored: 2,
      calls_evaluated: 1,
    })
    const choice = { which: 'pending', rubric: 'r', rubricVersion: '1', before: Date.now() } as const
    expect(await store.calls.chooseToEvaluate(project, choice)).toMatchObject({ count: 0 })
  })

  it('says how many calls are dated after now', async () => {
    const { run, drop } = await kindsOver()
    settled(join(drop, 'a.ndjson'), `${record('a', { created_dt: '2199-01-01' })}\n${record('b')}\n`)
    expect((await run('import_folder', { folder: 'drop' })).result).toMatchObject({ calls_stored: 2, future_calls: 1 })
  })

  it('takes in whole files and moves them, sets bad ones aside with a report, leaves what is being written', async () => {
    const { run, drop, ids } = await kindsOver()
    const lines = [...generateCalls({ calls: 40, seed: 1, days: 30, agents: 3, end: new Date(NOW) }).lines]
    settled(join(drop, 'good.ndjson'), lines.join(''))
    settled(join(drop, 'bad.ndjson'), `${record('b1')}\n{"session_id":7}\n${record('b2')}\nnonsense\n`)
    settled(join(drop, 'half.ndjson.part'), record('h1'))
    settled(join(drop, '.hidden.ndjson'), record('h2'))
    writeFileSync(join(drop, 'fresh.ndjson'), record('f1'))
    utimesSync(join(drop, 'fresh.ndjson'), new Date(NOW - 5_000), new Date(NOW - 5_000))
    const { summary, result } = await run('import_folder', { folder: 'drop' })
    expect(result).toEqual({
      files_done: 1,
      files_failed: 1,
      files_waiting: 1,
      calls_stored: 42,
      calls_replaced: 0,
      calls_evaluated: 0,
      records_rejected: 2,
    })
    expect(summary).toMatch(
      /^42 calls stored \(0 replaced\) from 2 files; 1 files set aside with 2 rejected records; 1 files left alone/,
    )
    expect(await ids()).toHaveLength(42)
    expect(readdirSync(drop).sort()).toEqual(['.hidden.ndjson', 'done', 'failed', 'fresh.ndjson', 'half.ndjson.part'])
    expect(readdirSync(join(drop, 'done'))).toEqual(['good.ndjson'])
    const report = readFileSync(join(drop, 'failed', 'bad.ndjson.rejects.ndjson'), 'utf8')
      .trim()
      .split('\n')
    expect(report.map(line => JSON.parse(line).line)).toEqual([2, 4])
  })

  it('keeps the two files of a call together, and waits for the second', async () => {
    const { run, drop } = await kindsOver()
    for (const folder of ['metadata', 'transcript']) mkdirSync(join(drop, folder))
    settled(join(drop, 'metadata', 'a.json'), '{"sid": "a", "agent_name": "x", "tasks": []}')
    expect((await run('import_folder', { folder: 'drop' })).result).toMatchObject({ files_waiting: 1, files_failed: 0 })
    settled(join(drop, 'transcript', 'a.json'), '[]')
    expect((await run('import_folder', { folder: 'drop' })).result).toMatchObject({ files_waiting: 0, files_failed: 2 })
    expect(readdirSync(join(drop, 'failed', 'metadata'))).toEqual(['a.json', 'a.json.rejects.ndjson'])
    expect(readdirSync(join(drop, 'failed', 'transcript'))).toEqual(['a.json'])
  })

  it('takes nothing that lies outside the project’s own folder, which is not there for it', async () => {
    const { project, run, make, importDir, ids } = await kindsOver()
    mkdirSync(join(importDir, 'q', 'calls'), { recursive: true })
    mkdirSync(join(importDir, 'calls', 'done'), { recursive: true })
    const theirs = [join(importDir, 'q', 'calls', 'q.ndjson'), join(importDir, 'calls', 'all.ndjson')]
    for (const path of [...theirs, join(importDir, 'calls', 'done', 'x.ndjson')]) settled(path, record('theirs'))
    for (const folder of ['q', 'q/calls']) {
      expect(await refusal(() => run('import_folder', { folder }))).toBe(
        `invalid_input: There is no folder "${project}/${folder}" below EARSHOT_IMPORT_DIR`,
      )
    }
    // A task that is made has a folder of that name of its own.
    for (const folder of ['q', 'q/calls', 'calls', 'calls/done']) {
      await make('import_folder', { folder })
      expect((await run('import_folder', { folder })).summary).toBe('The folder is empty')
    }
    symlinkSync('..', join(importDir, project, 'up'))
    expect(await refusal(() => run('import_folder', { folder: 'up' }))).toMatch(/leads out of the project's own folder/)
    expect(theirs.every(path => existsSync(path))).toBe(true)
    expect(await ids()).toEqual([])
  })

  it('of before projects had folders of their own says how to move its folder, and works when it is moved', async () => {
    const { project, run, importDir, ids } = await kindsOver()
    for (const name of ['-calls/re tail', "o'neil"]) {
      mkdirSync(join(importDir, name), { recursive: true })
      settled(join(importDir, name, 'a.ndjson'), record(name))
      const said = await refusal(() => run('import_folder', { folder: name }))
      expect(said).toContain(`There is no folder "${project}/${name}" below EARSHOT_IMPORT_DIR, but there is "${name}"`)
      const command = said.slice(said.indexOf('cd '))
      execFileSync('sh', ['-c', command], { env: { ...process.env, EARSHOT_IMPORT_DIR: importDir } })
      expect((await run('import_folder', { folder: name })).result).toMatchObject({ calls_stored: 1 })
    }
    expect(await ids()).toEqual(['-calls/re tail', "o'neil"])
    // Nothing is said of a folder that is another project's.
    mkdirSync(join(importDir, 'q', 'drop'), { recursive: true })
    expect(await refusal(() => run('import_folder', { folder: 'q/drop' }))).toBe(
      `invalid_input: There is no folder "${project}/q/drop" below EARSHOT_IMPORT_DIR`,
    )
  })

  it('does what is left when it is interrupted and run again', async () => {
    const { run, drop, ids } = await kindsOver()
    settled(join(drop, 'a.ndjson'), record('a'))
    expect(await refusal(() => run('import_folder', { folder: 'drop' }, AbortSignal.abort(new Error('stop'))))).toBe(
      'Error: stop',
    )
    expect(existsSync(join(drop, 'a.ndjson'))).toBe(true)
    await run('import_folder', { folder: 'drop' })
    expect([await ids(), readdirSync(drop)]).toEqual([['a'], ['done']])
  })
})

describe('retention', () => {
  const calls = (...ids: readonly (readonly [string, string])[]) =>
    ids.map(([session_id, created_dt]) => ({
      session_id,
      agent_id: 'ana',
      agent_name: 'Ana',
      json: JSON.stringify({
        session_id,
        agent_id: 'ana',
        agent_name: 'Ana',
        created_dt,
        transcript: [{ turn: 0, actor: 'agent', text: 'hello' }],
      }),
    }))

  it('erases calls from before the day so many days ago, and transcripts earlier', async () => {
    const forgotten: string[] = []
    const events = { ...services().events, hush: (_: string, ids: readonly string[]) => void forgotten.push(...ids) }
    const { project, run, store, ids } = await kindsOver({ events })
    await store.calls.upsert(
      project,
      calls(
        ['old', '2026-02-12T23:59:59Z'],
        ['edge', '2026-02-13T00:00:00Z'],
        ['mid', '2026-03-07T10:00:00Z'],
        ['new', '2026-03-08T00:00:00Z'],
      ),
    )
    await store.calls.upsert('q', calls(['old', '2020-01-01T00:00:00Z']))
    const { summary, result } = await run('retention', { calls_after_days: 30, transcripts_after_days: 7 })
    expect(result).toEqual({ calls_erased: 1, transcripts_erased: 2 })
    expect(summary).toBe(
      '1 calls from before 2026-02-13T00:00:00.000Z erased; transcripts of 2 calls from before 2026-03-08T00:00:00.000Z erased',
    )
    expect([await ids(), forgotten]).toEqual([
      ['edge', 'mid', 'new'],
      ['old', 'old'],
    ])
    expect(await store.calls.olderThan('q', NOW, { limit: 9 })).toEqual(['old'])
    expect((await store.calls.upsert(project, calls(['old', '2026-02-12T23:59:59Z']))).erased).toEqual(['old'])
    expect((await run('retention', { calls_after_days: 30 })).result).toEqual({ calls_erased: 0 })
  })

  it('works through any number of calls', async () => {
    const { project, run, store, ids } = await kindsOver()
    await store.calls.upsert(
      project,
      calls(...Array.from({ length: 1_203 }, (_, n) => [`s${n}`, '2025-01-01T00:00:00Z'] as const)),
    )
    expect((await run('retention', { calls_after_days: 1 })).result).toEqual({ calls_erased: 1_203 })
    expect(await ids()).toEqual([])
  })
})

describe('change_report', () => {
  it('puts nothing among the reports of another project', async () => {
    const { project, run, reportDir } = await withChange()
    const args = { period: '2026-03-02 to 2026-03-02', baseline: '2026-03-01 to 2026-03-01' }
    mkdirSync(join(reportDir, 'q', 'weekly'), { recursive: true })
    const { result } = await run('change_report', { ...args, folder: 'q/weekly', format: 'json' })
    expect(result?.['files']).toEqual([`${project}/q/weekly/changes-2026-03-02-to-2026-03-02-run_1.json`])
    symlinkSync('../q/weekly', join(reportDir, project, 'theirs'))
    expect(await refusal(() => run('change_report', { ...args, folder: 'theirs' }))).toMatch(/leads out of the project/)
    expect(readdirSync(join(reportDir, 'q', 'weekly'))).toEqual([])
  })

  async function withChange(parts: Partial<TaskServices> = {}) {
    const kinds = await kindsOver(parts)
    const of = (week: number, driver: string, count: number) =>
      Array.from({ length: count }, (_, n) => ({
        session_id: `${week}-${driver}-${n}`,
        agent_name: 'Ana',
        created_dt: `2026-03-0${week}T1${n % 10}:00:00Z`,
        interaction_driver: driver,
      }))
    await kinds.import([...of(1, 'billing', 40), ...of(2, 'billing', 5), ...of(2, 'out|age', 35)] as never)
    return kinds
  }

  it('writes what detect_changes answers, as JSON and to read', async () => {
    const kinds = await withChange()
    const { project, run, reportDir } = kinds
    const args = { period: '2026-03-02 to 2026-03-02', baseline: '2026-03-01 to 2026-03-01', categories: ['drivers'] }
    const { result } = await run('change_report', { ...args, folder: 'weekly/retail' })
    const stem = `${project}/weekly/retail/changes-2026-03-02-to-2026-03-02-run_1`
    expect(result).toMatchObject({ changes: 2, files: [`${stem}.json`, `${stem}.md`] })
    const written = JSON.parse(readFileSync(join(reportDir, `${stem}.json`), 'utf8'))
    expect(written).toEqual(await kinds.ask(detectChanges, { ...args, examples: 3 }))
    const text = readFileSync(join(reportDir, `${stem}.md`), 'utf8')
    expect(text).toContain('| driver out\\|age | new | 0.0 % | 87.5 % | 0 → 35 |')
  })

  it('does not name a call that was erased, before or after', async () => {
    const kinds = await withChange()
    const { project, run, reportDir, services: given, store } = kinds
    const reports = () => ['json', 'md'].map(end => readFileSync(join(reportDir, `${project}/${stem}.${end}`), 'utf8'))
    const args = { period: '2026-03-02 to 2026-03-02', baseline: '2026-03-01 to 2026-03-01', categories: ['drivers'] }
    const stem = 'changes-2026-03-02-to-2026-03-02-run_1'
    await run('change_report', args)
    const before = reports()
    const named = [...new Set(before.join().match(/\d-(billing|out\|age)-\d+/g))]
    expect(named.length).toBeGreaterThan(2)
    const [first = '', second = '', ...others] = named
    // One on request, one by retention, which erases in batches as well.
    await eraseCalls(given, project, [first, 'nowhere'], note)
    await eraseCalls(given, project, [second], note)
    const after = reports()
    for (const [i, text] of after.entries()) {
      expect(text).not.toMatch(new RegExp(`${first.replace('|', '.{1,2}')}\\b|${second.replace('|', '.{1,2}')}\\b`))
      // The rest is as it was.
      expect(text.length).toBeGreaterThan((before[i]?.length ?? 0) * 0.9)
    }
    expect(JSON.parse(after[0] ?? '')).toMatchObject({ tested: JSON.parse(before[0] ?? '').tested })
    for (const id of others) expect(after[0]).toContain(id)
    expect(await store.reports.naming(project, [first])).toEqual([])
    expect(await store.reports.naming(project, [others[0] ?? ''])).toEqual([
      `${project}/${stem}.json`,
      `${project}/${stem}.md`,
    ])
    // A report that was found before the erasure is written after it.
    const folder = await given.reports.folder(project, 'late')
    const text = (isThere: (id: string) => boolean) => [first, others[0] ?? ''].filter(isThere).join()
    await given.reports.write(project, folder, [{ name: 'late.json', text }], [first, others[0] ?? ''])
    expect(readFileSync(join(reportDir, `${project}/late/late.json`), 'utf8')).toBe(others[0])
    // That is no JSON, as after somebody's edit: it goes with the call. What was moved away is left, without a fault.
    unlinkSync(join(reportDir, `${project}/${stem}.md`))
    expect(await eraseCalls(given, project, [others[0] ?? ''], note)).toBe(1)
    expect(existsSync(join(reportDir, `${project}/late/late.json`))).toBe(false)
  })

  it('does not name a call that another process erases while it is being written', async () => {
    const { project, store, reportDir, services: given } = await withChange()
    const [first, second, left] = ['1-billing-0', '1-billing-1', '1-billing-2'] as const
    let noted = () => Promise.resolve<unknown>(undefined)
    const of: ReportStore = {
      note: async (...asked) => {
        const there = await store.reports.note(...asked)
        await noted()
        return there
      },
      named: (...asked) => store.reports.named(...asked),
      naming: (...asked) => store.reports.naming(...asked),
    }
    const another = new Reports({ store: of, reportDir, log: silent })
    const folder = await another.folder(project, 'weekly')
    const ids = [first, second, left]
    const text = (isThere: (id: string) => boolean) => JSON.stringify({ example_session_ids: ids.filter(isThere) })
    const write = () => another.write(project, folder, [{ name: 'changes.json', text }], ids)
    const named = () => JSON.parse(readFileSync(join(reportDir, `${project}/weekly/changes.json`), 'utf8'))
    // After it is on record, and before there is a file.
    noted = () => eraseCalls(given, project, [first], note)
    await write()
    expect(named()).toEqual({ example_session_ids: [second, left] })
    // After the files were looked at, and before the call is gone.
    noted = async () => undefined
    await given.reports.without(project, [second], async () => {
      await write()
      await store.calls.erase(project, second)
    })
    expect(named()).toEqual({ example_session_ids: [left] })
  })

  it('written before projects had folders of their own is found by an erasure, moved or not', async () => {
    const { project, store, reportDir, services: given } = await withChange()
    const [moved, left] = ['1-billing-0', '1-billing-1'] as const
    for (const [folder, id] of Object.entries({ weekly: moved, daily: left })) {
      await store.reports.note(project, `${folder}/changes.json`, [id])
      const path = join(reportDir, id === moved ? project : '', folder)
      mkdirSync(path, { recursive: true })
      writeFileSync(join(path, 'changes.json'), JSON.stringify({ example_session_ids: [id, 'x'] }))
    }
    await eraseCalls(given, project, [moved, left], note)
    for (const path of [`${project}/weekly`, 'daily']) {
      const text = readFileSync(join(reportDir, path, 'changes.json'), 'utf8')
      expect(JSON.parse(text)).toEqual({ example_session_ids: ['x'] })
    }
  })

  it('is told as an event, in keys and numbers', async () => {
    const { project, run, services: given } = await withChange()
    const { summary } = await run('change_report', { period: '2026-03', deliver: 'event' })
    expect(summary).toMatch(/told as changes.reported$/)
    const raised = given.raised.at(-1)
    expect(raised).toMatchObject({ event: 'changes.reported', project_id: project })
    expect(() => changesReported.data.parse(raised?.data)).not.toThrow()
  })
})

describe('webhook_digest', () => {
  it('tells the numbers of a period', async () => {
    const kinds = await kindsOver()
    await kinds.import([
      { session_id: 'a', agent_name: 'Ana', created_dt: '2026-03-14T12:00:00Z', score: 4 },
      { session_id: 'b', agent_name: 'Ana', created_dt: '2026-03-14T13:00:00Z', score: 3 },
      { session_id: 'c', agent_name: 'Ana', created_dt: '2026-03-13T13:00:00Z', score: 1 },
    ] as never)
    await kinds.run('webhook_digest', {})
    const raised = kinds.services.raised.at(-1)
    expect(projectDigest.data.parse(raised?.data)).toMatchObject({
      from: '2026-03-14T00:00:00.000Z',
      calls: 2,
      scored_calls: 2,
      average_score: 3.5,
    })
  })
})

describe('evaluate_pending', () => {
  it('evaluates what is not evaluated yet, and nothing else', async () => {
    const kinds = await kindsOver()
    const transcript = [{ turn: 0, actor: 'agent', text: 'Thank you for calling, how can I help you?' }]
    await kinds.import([
      { session_id: 'a', agent_name: 'Ana', created_dt: '2026-03-14T12:00:00Z', transcript },
      { session_id: 'b', agent_name: 'Ana', created_dt: '2026-03-14T13:00:00Z', transcript, score: 3 },
    ] as never)
    expect((await kinds.run('evaluate_pending', {})).result).toMatchObject({ chosen: 1, evaluated: 1 })
    expect((await kinds.run('evaluate_pending', {})).result).toMatchObject({ chosen: 0 })
  })

  it('takes a language model where one is configured, within the configured budget', async () => {
    let status = 200
    const server = await aServer(asked => (status === 200 ? { answer: plainAnswer(asked) } : { status }))
    const client = createModelClient(endpoint(server))
    const setting = { client, concurrency: 1, maxCharacters: 100_000, prices: undefined }
    const models = modelRuns({
      setting,
      answers: new MemoryAnswers(),
      leases: new InProcessLeases(),
      budget: { calls: 2 },
    })
    const kinds = await kindsOver({ models })
    const calls = ['a', 'b', 'c', 'd'].map(session_id => ({ ...goodCall(), session_id }))
    await kinds.import(calls)
    const { summary, result } = await kinds.run('evaluate_pending', { with: 'model' })
    expect(summary).toContain('2 of 4 calls evaluated by model')
    expect(summary).toContain('the budget of the run is spent, and the next run goes on')
    expect(result).toMatchObject({ chosen: 4, evaluated: 2, model: { requests: 2, cached: 0, input_tokens: 2_000 } })
    status = 401
    await expect(kinds.run('evaluate_pending', { with: 'model' })).rejects.toThrow(
      /^0 of 2 calls evaluated by model .*; then it ended: The model’s endpoint refuses the key \(401\)/,
    )
    const without = await kindsOver()
    await expect(without.run('evaluate_pending', { with: 'model' })).rejects.toThrow('No language model is configured')
  })
})

describe('evaluate_pending by batches', () => {
  it('sends what there is, and takes over in the next run what was answered', async () => {
    const server = await BatchServer.start()
    onTestFinished(() => server.stop())
    const asked = endpoint(server)
    const runs = (): ModelRuns =>
      modelRuns({
        setting: { client: createModelClient(asked), concurrency: 1, maxCharacters: 100_000, prices: undefined },
        batching: { client: createBatchClient(asked), store: kinds.store.modelBatches, lookMs: 1 },
        answers: kinds.store.modelAnswers,
        leases: kinds.store.leases,
        budget: {},
      })
    const models: TaskServices['models'] = {
      evaluator: (...given) => runs().evaluator(...given),
      inBatches: async work => await runs().inBatches(work),
    }
    const kinds = await kindsOver({ models })
    const run = async (parameters: object) => await kinds.run('evaluate_pending', parameters)
    await kinds.import(['a', 'b'].map(session_id => ({ ...goodCall(), session_id })))
    await expect(run({ batches: true })).rejects.toThrow('Batches are a language model’s: say with: model')
    const first = await run({ with: 'model', batches: true })
    expect(first.summary).toMatch(/^0 of 2 calls evaluated by model .*; with the provider: 1$/)
    const second = await run({ with: 'model', batches: true })
    expect(second.result).toMatchObject({ evaluated: 2, batches: { sent: 0, settled: 1, waiting: 0 } })
  })
})

describe('lift_refit', () => {
  it('fits outcome lift to the evaluated calls, and says why there is none', async () => {
    const { project, run, store } = await kindsOver()
    const world = { seed: 1, drivers: { a: 0 }, effects: { 'sig.empathy_shown': 2 }, agents: { Ana: 0.5 } }
    const calls = simulate({ ...world, calls: 120 }).map(({ record: one }) => {
      return { session_id: one.session_id, agent_id: 'ana', agent_name: 'Ana', json: JSON.stringify(one) }
    })
    await store.calls.upsert(project, calls.slice(0, 40))
    expect((await run('lift_refit', {})).summary).toBe(
      'Evaluated by rules: no outcome lift: It takes 50 evaluated calls; there are 40; 0 calls changed',
    )
    await store.calls.upsert(project, calls)
    const { summary, result } = await run('lift_refit', {})
    expect(summary).toBe('Evaluated by rules: outcome lift of 120 calls fitted; 120 calls changed')
    expect(result).toMatchObject({ lift: [{ calls: 120, lifts: 120 }] })
  })
})

describe('knowledge_base_refresh', () => {
  it('replaces what changed, removes what is gone when asked, keeps what can’t be read', async () => {
    const { project, run, services: given, drop } = await kindsOver()
    const names = async () => (await given.knowledge.list(project)).map(({ name }) => name).sort()
    writeFileSync(join(drop, 'a.md'), '# Refunds\nWithin 14 days.')
    writeFileSync(join(drop, 'b.txt'), 'Opening hours: 9 to 5.')
    expect((await run('knowledge_base_refresh', { folder: 'drop' })).summary).toBe('2 documents imported (0 replaced)')
    writeFileSync(join(drop, 'a.md'), Buffer.from([0xff, 0xfe, 0x00]))
    unlinkSync(join(drop, 'b.txt'))
    writeFileSync(join(drop, 'c.txt'), 'Delivery takes 3 days.')
    const { summary, result } = await run('knowledge_base_refresh', { folder: 'drop', remove_missing: true })
    expect(summary).toBe('1 documents imported (0 replaced), 1 removed, 1 could not be read')
    expect(result).toMatchObject({ failed: [{ name: 'a.md', reason: 'is not UTF-8 text' }] })
    expect(await names()).toEqual(['a.md', 'c.txt'])
  })
})

describe('export_tables', () => {
  it('writes tables in place of those of the run before, and nothing of what was asked without', async () => {
    const { store } = await kindsOver()
    const tableExports = new TableExports({ store, parent: tempDir() })
    const { project, run, reportDir, services: given } = await kindsOver({ tableExports })
    await store.calls.upsert(project, [
      { session_id: 'a', agent_id: 'ana', agent_name: 'Ana', json: JSON.stringify(spoken('a')) },
      { session_id: 'b', agent_id: 'ana', agent_name: 'Ana', json: JSON.stringify(spoken('b')) },
    ])
    const there = () => readdirSync(join(reportDir, project, 'tables')).sort()
    const { summary, result } = await run('export_tables', { format: 'csv', text: 'full' })
    expect(summary).toMatch(/^2 calls written as 7 tables to p\d+\/tables \(\d+ bytes\)$/)
    expect(result).toMatchObject({ rows: { calls: 2, turns: 2 } })
    expect(there()).toContain('turns.csv')
    expect(readFileSync(join(reportDir, project, 'tables', 'turns.csv'), 'utf8')).toContain('Good morning')

    await eraseCalls(given, project, ['a'], note)
    await run('export_tables', {})
    expect(there()).toEqual(
      ['calls', 'conditions', 'dimensions', 'guidance', 'scores', 'signals'].map(n => `${n}.parquet`),
    )
    expect((await run('export_tables', {})).result).toMatchObject({ rows: { calls: 1 } })
    await expect(run('export_tables', { folder: '../q' })).rejects.toThrow('must not lead out')
  })
})

const spoken = (id: string) => ({
  session_id: id,
  agent_id: 'ana',
  agent_name: 'Ana',
  created_dt: '2026-03-10T12:00:00Z',
  transcript: [{ turn: 0, actor: 'agent', text: 'Good morning' }],
})
