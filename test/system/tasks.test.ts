import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { generateCalls } from '../../src/demo/generate-calls.js'
import { linesIn } from '../support/activity.js'
import { runEarshot } from '../support/run-earshot.js'
import { type RunningService, startService } from '../support/start-service.js'
import { isWhole } from '../support/whole.js'

const SECOND = '* * * * * *'
/** So many that the import of them is under way when the request for it has been answered. */
const DROPPED = 1_000
/** Of a time that nothing else here is about. */
const dropped = (seed: number): string =>
  [...generateCalls({ calls: DROPPED, seed, days: 60, agents: 5, end: new Date('2022-01-01') }).lines].join('')

interface Run {
  readonly trigger: string
  readonly state: string
  readonly result?: object
}

/** Directories of a service with a drop folder, below one. */
function directories(dir: string) {
  const [dataDir, importDir, reportDir] = ['data', 'import', 'reports'].map(name => join(dir, name)) as [
    string,
    string,
    string,
  ]
  const drop = join(importDir, 'demo', 'drop')
  mkdirSync(drop, { recursive: true })
  mkdirSync(reportDir)
  return { dataDir, drop, reportDir, env: { EARSHOT_IMPORT_DIR: importDir, EARSHOT_REPORT_DIR: reportDir } }
}

/** What an administrator does over REST. */
function administrator({ api_url: url, admin_token: token, project_id: project }: RunningService) {
  const ask = async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${token}`, 'x-project-id': project }
    const json = { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) }
    const request = { method, ...(body === undefined ? { headers } : json) }
    const answer = await fetch(`${url}/api/v1${path}`, request)
    const text = await answer.text()
    return { status: answer.status, json: text === '' ? undefined : JSON.parse(text) }
  }
  return {
    ask,
    create: async (kind: string, cron: string, parameters: object) => {
      const { status, json } = await ask('POST', '/tasks', { kind, schedule: cron, parameters })
      expect([status, json.next_runs?.length]).toEqual([201, 5])
      return json.task_id as string
    },
    /** The runs of a task, newest first, once one of them is as wanted. */
    until: async (task: string, wanted: (run: Run, place: number) => boolean): Promise<readonly Run[]> => {
      let runs: readonly Run[] = []
      for (const late = performance.now() + 300_000; performance.now() < late; await pause(200)) {
        runs = (await ask('GET', `/tasks/${task}/runs?limit=100`)).json.runs
        if (runs.some(wanted)) return runs
      }
      throw new Error(`no run of ${task} is as wanted: ${JSON.stringify(runs)}`)
    },
  }
}

describe('scheduled tasks', () => {
  const dir = mkdtempSync(join(tmpdir(), 'earshot-tasks-'))
  const { dataDir, drop, reportDir, env } = directories(dir)
  const start = () => startService({ dataDir, calls: 30, env })
  // One for all of it, which the first test kills, stops and starts anew.
  let service: RunningService
  beforeAll(async () => {
    service = await start()
  })
  afterAll(async () => {
    await service.end()
    rmSync(dir, { recursive: true, force: true })
  })

  test.runIf(isWhole)(
    'lose nothing to a kill -9 or a stop in the middle of a run, and what was missed is caught up once',
    async () => {
      const before = administrator(service)
      const retention = await before.create('retention', SECOND, { calls_after_days: 36_500 })
      await before.until(retention, run => run.state === 'ok')
      writeFileSync(join(drop, 'calls.ndjson'), dropped(7))
      const folder = await before.create('import_folder', '0 0 1 1 *', { folder: 'drop', settle_seconds: 0 })
      expect((await before.ask('POST', `/tasks/${folder}/run`)).status).toBe(202)
      await service.end('SIGKILL')
      expect(existsSync(join(drop, 'calls.ndjson'))).toBe(true)
      await pause(1_100)

      service = await start()
      const after = administrator(service)
      const runs = await after.until(folder, run => run.trigger === 'repeat' && run.state === 'ok')
      expect(runs.map(({ trigger, state }) => [trigger, state])).toEqual([
        ['repeat', 'ok'],
        ['manual', 'interrupted'],
      ])
      expect(runs[0]?.result).toMatchObject({ files_done: 1, calls_stored: DROPPED, records_rejected: 0 })
      expect([readdirSync(drop), readdirSync(join(drop, 'done'))]).toEqual([['done'], ['calls.ndjson']])
      expect((await after.ask('GET', '/interactions?limit=1')).json.total).toBe(30 + DROPPED)
      // The kill may have met this task in the middle of a run too, which then is repeated in place of what was missed.
      const isCaughtUp = ({ trigger }: Run): boolean => trigger === 'missed' || trigger === 'repeat'
      const retentions = await after.until(retention, isCaughtUp)
      expect(retentions.filter(isCaughtUp)).toHaveLength(1)
      const metrics = await (await fetch(`${service.api_url}/metrics`)).text()
      expect(metrics).toContain('earshot_task_runs_total{kind="import_folder",outcome="ok"} 1')
      await after.ask('DELETE', `/tasks/${retention}`)

      writeFileSync(join(drop, 'more.ndjson'), dropped(8))
      expect((await after.ask('POST', `/tasks/${folder}/run`)).status).toBe(202)
      expect(await service.end('SIGTERM')).toEqual({ code: 0, signal: null })
      const pages = (await linesIn(dataDir)).map(line => (line as unknown as { page: string }).page)
      expect(pages).toContain('task import_folder')
      expect(pages).toContain('POST /api/v1/tasks/:task_id/run')
      service = await start()
      const last = administrator(service)
      await last.until(folder, (run, n) => n === 0 && run.state === 'ok')
      expect(readdirSync(join(drop, 'done'))).toEqual(['calls.ndjson', 'more.ndjson'])
      await last.ask('DELETE', `/tasks/${folder}`)
    },
  )

  test('take in a corpus as it is dropped, in pairs of files, whichever of a pair comes first', async () => {
    const { create, until, ask } = administrator(service)
    const corpus = await create('import_folder', SECOND, { folder: 'drop', settle_seconds: 0 })
    const folders = ['metadata', 'transcript'].map(name => join(drop, name))
    for (const folder of folders) mkdirSync(folder)
    // Written under another name and renamed: a run may come in between at any moment.
    const put = (folder: string, id: string, value: object) => {
      writeFileSync(join(folder, `${id}.part`), JSON.stringify(value))
      renameSync(join(folder, `${id}.part`), join(folder, `${id}.json`))
    }
    const [metadata = '', transcript = ''] = folders
    const ids = Array.from({ length: 12 }, (_, n) => `00aa11bb22cc33${String(n).padStart(2, '0')}`)
    for (const [n, id] of ids.entries()) {
      const start = Date.parse('2020-06-02T10:00:00Z') + n * 60_000
      const agent = { metadata: { agent_name: 'Robin' }, hangup_time_ms: start + 30_000 }
      const said = [
        { speaker_role: 'agent', channel_index: 2, offset_ms: 0, duration_ms: 900, human_transcript: 'hello' },
      ]
      const files = [
        () => put(metadata, id, { sid: id, session: 'A', start_time_ms: start, agent, caller: {}, tasks: [] }),
        () => put(transcript, id, said),
      ]
      for (const file of n % 2 === 0 ? files : files.toReversed()) {
        file()
        await pause(100)
      }
    }
    const total = async () => (await ask('GET', '/interactions?limit=1&end_date=2020-12-31')).json.total as number
    while ((await total()) < ids.length) await pause(200)
    await until(corpus, run => run.state === 'ok')
    for (const name of ['metadata', 'transcript']) {
      const done = join(drop, 'done', name)
      while (!existsSync(done) || readdirSync(done).length < ids.length) await pause(100)
      expect(readdirSync(done).sort()).toEqual(ids.map(id => `${id}.json`))
    }
    expect(existsSync(join(drop, 'failed'))).toBe(false)
    const { json } = await ask('GET', `/interactions/${ids[3]}`)
    expect(json).toMatchObject({ agent_name: 'Robin', transcript: [{ actor: 'agent', text: 'hello' }] })
    await ask('DELETE', `/tasks/${corpus}`)
  })

  test.runIf(isWhole)('are the same by command, with a server and without', async () => {
    const tasks = async (...args: string[]) => {
      const { code, stdout, stderr } = await runEarshot(
        ['tasks', ...args, '--project', 'demo', '--data-dir', dataDir],
        { env },
      )
      return {
        code,
        said: `${stdout}${stderr}`
          .replaceAll(/(task|run)_[0-9a-f]{16}/g, '$1')
          .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
          .replaceAll(/[\d.]+ s/g, 'N s'),
        stdout,
      }
    }
    // Written out once: "last 30 days" would be others in the second morning, were it midnight in between.
    const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)
    const period = `${day(30)} to ${day(1)}`
    const morning = async (): Promise<readonly unknown[]> => {
      const report = [
        'change_report',
        '--schedule',
        '0 6 * * 1',
        '--parameter',
        `period=${period}`,
        '--parameter',
        'folder=weekly',
      ]
      const created = await tasks('create', ...report, '--json')
      const id = (JSON.parse(created.stdout) as { task_id: string }).task_id
      const said = [
        await tasks('create', ...report, '--dry-run'),
        await tasks('create', 'retention', '--schedule', '61 * * * *', '--parameter', 'calls_after_days=9'),
        await tasks('create', 'change_report', '--schedule', '@daily', '--parameter', 'folder=../out'),
        await tasks('run', id),
        await tasks('set', id, '--name', 'Weekly', '--no-enabled'),
        await tasks('list'),
        await tasks('runs', id),
        await tasks('delete', id),
        await tasks('show', id),
      ]
      return said.map(({ code, said: text }) => [code, text])
    }
    const held = await morning()
    await service.end()
    const own = await morning()
    expect(own).toEqual(held)
    expect(own.map(one => (one as [number])[0])).toEqual([0, 2, 2, 0, 0, 0, 0, 0, 1])
    expect(readdirSync(join(reportDir, 'demo', 'weekly'))).toHaveLength(4)
  })
})
