import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { LINES } from '../evaluation/model/support.js'
import { aCall } from '../evaluation/a-call.js'
import { BatchServer } from '../support/batch-server.js'
import { ModelServer, plainAnswer } from '../support/model-server.js'
import { runEarshot } from '../support/run-earshot.js'
import { startService, type RunningService } from '../support/start-service.js'
import { tempDir } from '../support/temp-dir.js'
import { isWhole } from '../support/whole.js'

const KEY = 'sk-never-to-be-seen'

/** Calls with a transcript each of its own, as a file to import. */
function transcripts(dir: string, count: number): string {
  const file = join(dir, 'calls.ndjson')
  const calls = Array.from({ length: count }, (_, n) =>
    aCall([...LINES, `c: My number is ${n}.`], { session_id: `m${n}` }),
  )
  writeFileSync(file, calls.map(call => `${JSON.stringify(call)}\n`).join(''))
  return file
}

const settings = (model: Pick<ModelServer, 'url'>) => ({
  EARSHOT_MODEL_URL: model.url,
  EARSHOT_MODEL_NAME: 'local-model',
  EARSHOT_MODEL_API_KEY: KEY,
  EARSHOT_MODEL_PRICE_INPUT: '1',
  EARSHOT_MODEL_PRICE_OUTPUT: '2',
  EARSHOT_MODEL_FIRST_RETRY: '10ms',
})

function commandOf(dataDir: string, project: string) {
  return async (...args: string[]) => {
    const { code, stdout, stderr } = await runEarshot([
      'evaluate',
      '--project',
      project,
      ...args,
      '--data-dir',
      dataDir,
    ])
    return { code, stdout, out: stdout + stderr }
  }
}

/** By what a call is evaluated. */
async function evaluatorOf(
  { api_url: url, application_key: key }: RunningService,
  id: string,
): Promise<string | undefined> {
  const response = await fetch(`${url}/api/v1/interactions/${id}`, { headers: { authorization: `Bearer ${key}` } })
  const { evaluation } = (await response.json()) as { evaluation?: { evaluator: string } }
  return evaluation?.evaluator
}

/** The texts of all files below a directory that are no larger than some megabytes. */
function textsBelow(dir: string): string {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .map(name => join(dir, name))
    .filter(path => statSync(path).isFile() && statSync(path).size < 64 * 1024 * 1024)
    .map(path => readFileSync(path, 'latin1'))
    .join('\n')
}

test.runIf(isWhole)(
  'a model evaluates through a real service: compared first, within a budget, killed in the middle, and by a task',
  async () => {
    const dir = tempDir()
    const dataDir = join(dir, 'data')
    let answered = Infinity
    const model = await ModelServer.start((asked, count) =>
      count > answered ? new Promise(() => undefined) : { answer: plainAnswer(asked) },
    )
    let service = await startService({ dataDir, calls: 30, env: settings(model) })
    try {
      const evaluate = commandOf(dataDir, service.project_id)
      await runEarshot(['import', transcripts(dir, 40), '--project', service.project_id, '--data-dir', dataDir])

      const compared = await evaluate('--against', 'rules', '--sample', '5')
      expect(compared).toMatchObject({ code: 0, out: expect.stringMatching(/greeting_given {2,}\d/) as string })
      expect(compared.out).toMatch(
        /They differ on brand_named:\n {2}\w+\n {4}model: absent\n {4}rules: present, turn \d “[^”]+”\n/,
      )
      expect(compared.out).toMatch(/cost 0\.0060\.\n(.*\n)?About 0\.00120 a call\./)
      expect(compared.out).toContain('The calls stay as they are.')
      // It quotes calls: it is asked at this machine, and no token reaches it.
      const path = `/control/projects/${service.project_id}/evaluate/compare`
      const headers = { authorization: `Bearer ${service.admin_token}` }
      expect((await fetch(`${service.api_url}${path}`, { method: 'POST', headers })).status).toBe(404)
      expect(await evaluatorOf(service, 'm0')).not.toBe('model')

      const bounded = await evaluate('--with', 'model', '--all', '--max-calls', '3', '--json')
      expect(JSON.parse(bounded.stdout)).toMatchObject({
        evaluator: 'model',
        model: { requests: 3, cost: 0.0036, stopped: { reason: 'The budget of the run is spent', failed: false } },
      })

      // Killed while four wait for their answer: what was answered is not paid for again.
      const asked = model.asked.length
      answered = asked + 8
      const cut = evaluate('--with', 'model', '--all')
      await expect.poll(() => model.asked.length).toBe(asked + 12)
      await service.end('SIGKILL')
      expect(await cut).toMatchObject({ code: 1 })
      answered = Infinity
      service = await startService({ dataDir, calls: 30, env: settings(model) })
      const rest = JSON.parse((await evaluate('--with', 'model', '--all', '--json')).stdout) as {
        model: { requests: number; cached: number }
      }
      for (let n = 0; n < 40; n += 1) expect(await evaluatorOf(service, `m${n}`)).toBe('model')
      // These eight, the three within the budget and the five that were compared.
      expect(rest.model.cached).toBe(8 + 3 + 5)
      const times = new Map<string, number>()
      for (const { user } of model.asked) times.set(user, (times.get(user) ?? 0) + 1)
      // Only the four that were under way were asked for a second time.
      expect([...times.values()].filter(count => count > 1)).toEqual([2, 2, 2, 2])

      const task = await fetch(`${service.api_url}/api/v1/tasks`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${service.admin_token}`,
          'content-type': 'application/json',
          'x-project-id': service.project_id,
        },
        body: JSON.stringify({
          kind: 'evaluate_pending',
          schedule: { cron: '0 3 * * *' },
          parameters: { with: 'model' },
        }),
      })
      expect(task.status).toBe(201)
    } finally {
      await service.end()
      model.stop()
    }
    const { stdout, stderr } = service.output()
    expect(stdout + stderr).not.toContain(KEY)
    expect(textsBelow(dataDir)).not.toContain(KEY)
  },
)

/** An installation with three calls that nobody evaluated, for commands without a server. */
const shared = mkdtempSync(join(tmpdir(), 'earshot-model-'))
const installation = ['--project', 'p', '--data-dir', join(shared, 'data')]
beforeAll(async () => {
  await runEarshot(['project', 'create', 'p', ...installation.slice(2)])
  await runEarshot(['import', transcripts(shared, 3), '--no-evaluate', ...installation])
  return () => rmSync(shared, { recursive: true })
})

test('without a model it says what to set; a wrong key ends the run with what to check', async () => {
  const model = await ModelServer.start(() => ({
    status: 401,
    body: JSON.stringify({ error: { message: `no such key ${KEY}` } }),
  }))
  try {
    const args = ['evaluate', '--with', 'model', ...installation]
    const none = await runEarshot(args)
    expect(none).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('set EARSHOT_MODEL_URL and EARSHOT_MODEL_NAME') as string,
    })
    const wrong = await runEarshot(args, { env: settings(model) })
    expect(wrong).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(
        'Ended early: The model’s endpoint refuses the key (401): check EARSHOT_MODEL_API_KEY',
      ) as string,
    })
    expect(wrong.stdout + wrong.stderr).not.toContain(KEY)
  } finally {
    model.stop()
  }
})

test('batches are sent, left, looked at and taken over by commands of their own', async () => {
  const provider = await BatchServer.start()
  provider.looksToEnd = 3
  const env = { ...settings(provider), EARSHOT_MODEL_BATCH_LOOK: '10ms' }
  const evaluate = (...args: string[]) => runEarshot(['evaluate', ...args, ...installation], { env })
  try {
    const sent = await evaluate('--batch', '--no-wait')
    expect(sent).toMatchObject({ code: 0, stdout: expect.stringContaining('1 sent with 3 requests') as string })
    expect(sent.stdout).toContain('3 requests are with the provider')
    const looked = await evaluate('--batch-status')
    expect(looked.stdout).toMatch(/^batch_\S+ .* local-model +3 +0 +with the provider$/m)
    const taken = await evaluate('--batch', '--json')
    expect(JSON.parse(taken.stdout)).toMatchObject({
      evaluated: 3,
      model: { cost: 0.0018 },
      batches: { sent: 0, settled: 1, waiting: 0 },
    })
    expect(textsBelow(shared)).not.toContain(KEY)
  } finally {
    provider.stop()
  }
})

test.runIf(isWhole)(
  'a project that is set to the model leaves calls to it, and is evaluated by it without being told',
  async () => {
    const dir = tempDir()
    const dataDir = join(dir, 'data')
    // Six of ten calls are declined, never many in a row.
    let declines = true
    const model = await ModelServer.start(asked => {
      const [, number] = /My number is (\d)/.exec(asked.user) ?? []
      return declines && Number(number) % 5 < 3 ? { declined: 'No.' } : { answer: plainAnswer(asked) }
    })
    const run = (...args: string[]) => runEarshot([...args, '--data-dir', dataDir], { env: settings(model) })
    try {
      await run('project', 'create', 'p', '--evaluation', 'model')
      await run('import', transcripts(dir, 10), '--project', 'p')
      expect(model.asked).toHaveLength(0)
      // Where most calls brought nothing something is wrong, and a script has to hear of it.
      const first = await run('evaluate', '--project', 'p', '--json')
      expect(first.code).toBe(1)
      expect(JSON.parse(first.stdout)).toMatchObject({
        evaluator: 'model',
        evaluated: 4,
        reasons: [{ reason: 'The model declined to answer', calls: 6 }],
      })
      declines = false
      const rest = await run('evaluate', '--project', 'p', '--json')
      expect(rest.code).toBe(0)
      expect(JSON.parse(rest.stdout)).toMatchObject({ evaluated: 6 })
      expect(model.asked).toHaveLength(16)
    } finally {
      model.stop()
    }
  },
)

test.each([
  [['--with', 'rules', '--against', 'rules'], '--against rules compares a model with the rules'],
  [['--max-cost', '3'], '--max-cost needs --with model'],
  [['--with', 'rules', '--batch'], '--batch is of a model'],
  [['--batch', '--against', 'rules'], 'Give --batch or --against, not both'],
  [['--no-wait'], '--no-wait needs --batch'],
  [['--with', 'model', '--max-calls', '0'], '--max-calls must be a whole number from 1'],
  [['--with', 'model', '--against', 'rules', '--all'], 'leave out --all and --stale'],
])('%j is refused', async (args, said) => {
  const { code, stderr } = await runEarshot(['evaluate', '--project', 'p', '--data-dir', tempDir(), ...args])
  expect(code).toBe(2)
  expect(stderr).toContain(said)
})
