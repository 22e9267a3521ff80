import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { Webhook } from 'svix'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { Receiver } from '../support/receiver.js'
import { runEarshot } from '../support/run-earshot.js'
import { type RunningService, startService } from '../support/start-service.js'

const env = { EARSHOT_WEBHOOK_ALLOWED_RANGES: '127.0.0.0/8', EARSHOT_WEBHOOK_FIRST_RETRY: '100ms' }

async function receiver(...args: Parameters<typeof Receiver.start>): Promise<Receiver> {
  const made = await Receiver.start(...args)
  onTestFinished(() => made.stop())
  return made
}

const dir = mkdtempSync(join(tmpdir(), 'earshot-webhooks-'))
const [dataDir, reportDir] = [join(dir, 'data'), join(dir, 'reports')]
const start = () => startService({ dataDir, calls: 30, env: { ...env, EARSHOT_REPORT_DIR: reportDir } })
// One for all of it; each test removes what it had sent to its receiver.
let service: RunningService
beforeAll(async () => {
  mkdirSync(reportDir)
  service = await start()
})
afterAll(async () => {
  await service.end('SIGKILL')
  rmSync(dir, { recursive: true, force: true })
})

async function run(...args: string[]) {
  const { code, stdout, stderr } = await runEarshot([...args, '--project', 'demo', '--data-dir', dataDir, '--json'], {
    env,
  })
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`)
  return JSON.parse(stdout)
}

async function postCalls(calls: readonly object[]): Promise<void> {
  const response = await fetch(`${service.api_url}/api/v1/interactions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.application_key}`, 'content-type': 'application/json' },
    body: JSON.stringify(calls),
  })
  expect(response.status).toBe(200)
}

const evaluatedCall = (n: number, score: number) => ({
  session_id: `call ${n}`,
  agent_name: 'Sam Lee',
  created_dt: '2026-03-01T12:00:00.000Z',
  title: 'A customer’s own words',
  score,
  evaluation: { evaluator: 'rules', evaluated_at: '2026-03-01T13:00:00.000Z' },
})

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)

describe('webhooks', () => {
  test('a receiver that fails twice and then accepts gets every event, in order per call, signed', async () => {
    const tries = new Map<string, number>()
    const hooks = await receiver(({ id }) => {
      const count = (tries.get(id) ?? 0) + 1
      tries.set(id, count)
      return count <= 2 ? 500 : 204
    })
    const events = 'interaction.evaluated,alert.triggered,feedback.created,key.minted'
    const { secret, webhook_id: id } = await run('webhooks', 'add', hooks.url, '--events', events)
    await run('alerts', 'add', '--name', 'Poor', '--score-below', '2', '--cooldown-seconds', '0')

    await postCalls(numbers(12).map(n => evaluatedCall(n, 4)))
    await hooks.until(({ received }) => received.length > 0)
    await postCalls(numbers(12).map(n => evaluatedCall(n, 3)))
    await run('keys', 'mint', '--name', 'Dashboard')
    await postCalls([evaluatedCall(0, 1)])
    const feedback = await fetch(`${service.api_url}/api/v1/interactions/call%200/feedback`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.application_key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ rating: 1, text: 'Somebody’s own words' }),
    })
    expect(feedback.status).toBe(201)
    await hooks.until(({ accepted }) => accepted.some(({ event }) => event === 'feedback.created'))
    await hooks.until(({ accepted }) => accepted.some(({ event }) => event === 'key.minted'))
    await hooks.until(({ accepted }) => accepted.some(({ event }) => event === 'alert.triggered'))
    await hooks.until(({ accepted }) => accepted.filter(({ data }) => data['score'] === 3).length >= 12)
    await hooks.until(({ accepted }) => accepted.some(({ data }) => data['score'] === 1))

    for (const { text, headers } of hooks.received) new Webhook(secret).verify(text, headers)
    for (const n of numbers(12)) {
      const scores = hooks.accepted
        .filter(({ event, data }) => event === 'interaction.evaluated' && data['session_id'] === `call ${n}`)
        .map(({ data }) => data['score'])
      // A call that changed twice before anybody looked is told as it is then, so the first state may be missing.
      expect([...new Set(scores)]).toEqual([4, 3, 1].filter(score => scores.includes(score)))
    }
    expect([...tries.values()].every(count => count >= 3)).toBe(true)
    expect(hooks.received.map(({ text }) => text).join()).not.toMatch(/own words|Sam Lee/)

    // What was accepted is kept as delivered a moment later.
    const states = async () => {
      const { deliveries } = await run('webhooks', 'deliveries', id)
      return new Set(
        deliveries.map((one: { state: string; attempts: number; status: number }) =>
          [one.state, one.attempts, one.status].join(' '),
        ),
      )
    }
    await expect.poll(states).toEqual(new Set(['delivered 3 204']))
    const metrics = await (await fetch(`${service.api_url}/metrics`)).text()
    expect(metrics).toMatch(/earshot_webhook_attempts_total\{result="delivered"\} \d+/)
    expect(metrics).toMatch(/earshot_webhook_outbox \d+/)
    await run('webhooks', 'remove', id)
  })

  test('a change that a report finds triggers the alert that waits for it, once', async () => {
    const hooks = await receiver()
    const { secret, webhook_id: id } = await run('webhooks', 'add', hooks.url, '--events', 'alert.triggered')
    const periods = ['2026-03-09 to 2026-03-15', '2026-03-02 to 2026-03-08'] as const
    const alert = await run('alerts', 'add', '--name', 'Changed', '--change', periods[0], '--significance', 'medium')
    const of = (day: string, driver: string, count: number) =>
      numbers(count).map(n => ({
        session_id: `${day} ${n}`,
        agent_name: 'Sam Lee',
        created_dt: `${day}T10:00:00Z`,
        interaction_driver: driver,
      }))
    await postCalls([...of('2026-03-04', 'billing', 60), ...of('2026-03-11', 'outage', 60)])
    const task = [
      '--schedule',
      '@weekly',
      '--parameter',
      `period=${periods[0]}`,
      '--parameter',
      `baseline=${periods[1]}`,
    ]
    const { task_id: report } = await run('tasks', 'create', 'change_report', ...task)
    expect(await run('tasks', 'run', report)).toMatchObject({ state: 'ok', result: { changes: 2 } })
    await hooks.until(({ accepted }) => accepted.length > 0)
    expect(await run('tasks', 'run', report)).toMatchObject({ state: 'ok' })
    // Within its cooldown it is silent.
    await setTimeout(500)
    expect(hooks.accepted).toHaveLength(1)
    const [told] = hooks.accepted
    new Webhook(secret).verify(told!.text, told!.headers)
    // Without earlier weeks nobody can tell a change from a slow drift: nothing is high.
    const changes = [
      { category: 'driver', key: 'outage', direction: 'new', significance: 'medium' },
      { category: 'driver', key: 'billing', direction: 'gone', significance: 'medium' },
    ]
    expect(told).toMatchObject({ event: 'alert.triggered', data: { alert_id: alert.alert_id } })
    expect(told!.data['changes']).toEqual(expect.arrayContaining(changes.map(one => expect.objectContaining(one))))
    // The reports name calls; one of them is erased.
    const files = readdirSync(join(reportDir, 'demo')).map(name => join(reportDir, 'demo', name))
    const texts = () => files.map(file => readFileSync(file, 'utf8')).join()
    const named = /2026-03-11 \d+/.exec(texts())?.[0] ?? ''
    expect(files).toHaveLength(4)
    await run('erase', named)
    expect(texts()).not.toMatch(new RegExp(`${named}\\b`))
    await run('webhooks', 'remove', id)
  })

  test('nothing is lost when the service is killed while it delivers', async () => {
    let up = false
    // Takes some, refuses others: when the kill comes, some are told, some are on their way and most are waiting.
    const hooks = await receiver(({ data }) => (up || String(data['session_id']).endsWith('7') ? 200 : 503))
    const { secret } = await run('webhooks', 'add', hooks.url, '--events', 'interaction.evaluated')
    await postCalls(numbers(100).map(n => evaluatedCall(n, 4)))
    await hooks.until(({ accepted }) => accepted.length > 0)
    // Acknowledged a moment before the end.
    await postCalls(numbers(60).map(n => evaluatedCall(100 + n, 4)))
    await service.end('SIGKILL')
    const before = hooks.accepted.length
    expect(before).toBeLessThan(160)

    up = true
    service = await start()
    const sessions = () => new Set(hooks.accepted.map(({ data }) => data['session_id']))
    await hooks.until(() => sessions().size === 160)
    for (const { text, headers } of hooks.received) new Webhook(secret).verify(text, headers)
    // The same event has the same id and the same bytes, before the kill and after it.
    expect(new Set(hooks.received.map(({ text }) => text)).size).toBe(160)
    expect(await service.end()).toEqual({ code: 0, signal: null })
  })
})
