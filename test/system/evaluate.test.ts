import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aCall } from '../evaluation/a-call.js'
import { runEarshot } from '../support/run-earshot.js'
import { type RunningService, startService } from '../support/start-service.js'

/** Calls the demo makes up. */
const SAMPLE = 30

let dir: string
let service: RunningService
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'earshot-test-'))
  service = await startService({ dataDir: join(dir, 'data'), calls: SAMPLE })
})
afterAll(async () => {
  await service.end()
  rmSync(dir, { recursive: true })
})

/** A command while the server holds the store. */
async function earshot(...args: string[]): Promise<{ code: number | null; out: string }> {
  const { code, stdout, stderr } = await runEarshot([...args, '--data-dir', join(dir, 'data')])
  return { code, out: stdout + stderr }
}

function transcripts(name: string, count: number): string {
  const file = join(dir, `${name}.ndjson`)
  const calls = Array.from({ length: count }, (_, n) =>
    JSON.stringify(
      aCall(
        ['a: Thank you for calling, how can I help you?', 'c: I want to pay a bill', 'a: Sure. Your bill is paid.'],
        {
          session_id: `${name}${n}`,
        },
      ),
    ),
  )
  writeFileSync(file, `${calls.join('\n')}\n`)
  return file
}

async function call(id: string): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${service.application_key}` }
  const response = await fetch(`${service.api_url}/api/v1/interactions/${id}`, { headers })
  return (await response.json()) as Record<string, unknown>
}

describe('transcripts become signals, scores and coaching while a server runs', () => {
  test('earshot import evaluates what it brings; the API shows it at once', async () => {
    const done = await earshot('import', transcripts('a', 3), '--project', service.project_id)
    expect(done).toMatchObject({ code: 0, out: expect.stringContaining('3 evaluated by rules.\n') as string })
    expect(done.out).toMatch(/It takes 50 evaluated calls; there are \d+\./)
    expect(await call('a0')).toMatchObject({
      score: expect.any(Number) as number,
      interaction_driver: 'pay bill',
      evaluation: { evaluator: 'rules', rubric: 'support-calls' },
    })
  })

  test('earshot evaluate finds what waits, once; --all says how many scores moved', async () => {
    await earshot('import', transcripts('b', 4), '--project', service.project_id, '--no-evaluate')
    expect((await call('b0'))['evaluation']).toBeUndefined()
    const first = await earshot('evaluate', '--project', service.project_id, '--json')
    expect(JSON.parse(first.out)).toMatchObject({ evaluated: 4, not_evaluated: 0, compared: 0 })
    const second = await earshot('evaluate', '--project', service.project_id)
    expect(second).toMatchObject({ code: 0, out: expect.stringContaining('There is no call to evaluate') as string })
    const all = await earshot('evaluate', '--project', service.project_id, '--all', '--json')
    // With the sample calls of the demo, which the rules evaluated too.
    expect(JSON.parse(all.out)).toMatchObject({ evaluated: 7 + SAMPLE, higher: 0, lower: 0, same: 7 + SAMPLE })
  })

  test('a project can be set not to; an import can be asked to all the same', async () => {
    const set = (evaluation: string) => earshot('project', 'set', service.project_id, '--evaluation', evaluation)
    expect((await set('imported')).out).toContain('Evaluation none: calls stay as they come in')
    const file = transcripts('c', 2)
    await earshot('import', file, '--project', service.project_id)
    expect((await call('c0'))['evaluation']).toBeUndefined()
    await earshot('import', file, '--project', service.project_id, '--evaluate')
    expect(await call('c0')).toMatchObject({ evaluation: { evaluator: 'rules' } })
    await set('model')
    expect(await earshot('import', file, '--project', service.project_id, '--evaluate')).toMatchObject({
      code: 1,
      out: expect.stringContaining('are evaluated by a model') as string,
    })
    await set('rules')
  })

  test('outcome lift comes with the import, and again with every evaluation', async () => {
    const file = join(dir, 'lift.ndjson')
    const said = (n: number) => [
      n % 2 === 0 ? 'a: Thank you for calling, how can I help you?' : 'a: Yes?',
      'c: I want to pay a bill',
      'a: Sure. Your bill is paid.',
      n % 3 === 0 ? 'c: Thank you so much, great.' : 'c: Hm.',
      'a: Bye.',
    ]
    const calls = Array.from({ length: 60 }, (_, n) => JSON.stringify(aCall(said(n), { session_id: `lift${n}` })))
    writeFileSync(file, calls.join('\n'))
    const { code, out } = await earshot('import', file, '--project', service.project_id, '--json')
    expect(code).toBe(0)
    const { lift } = JSON.parse(out) as { lift: { lifts: number }[] }
    expect(lift[0]).toMatchObject({ evaluator: 'rules' })
    expect(lift[0]!.lifts).toBeGreaterThanOrEqual(60)
    expect(await call('lift0')).toMatchObject({
      outcome_lift: {
        lift: expect.any(Number) as number,
        lift_band: expect.any(String) as string,
        p_behavioral: expect.any(Number) as number,
        p_context: expect.any(Number) as number,
      },
    })
    const again = await earshot('evaluate', '--project', service.project_id)
    expect(again.out).toMatch(/Outcome lift, calls evaluated by rules: \d+ calls/)
  })

  test('a task of kind evaluate_pending can be made', async () => {
    const response = await fetch(`${service.api_url}/api/v1/tasks`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${service.admin_token}`,
        'content-type': 'application/json',
        'x-project-id': service.project_id,
      },
      body: JSON.stringify({ kind: 'evaluate_pending', schedule: { cron: '0 3 * * *' } }),
    })
    expect(response.status).toBe(201)
  })

  test.each([
    [['--all', '--stale'], 2, 'Give --all or --stale, not both'],
    [['--sample', '0'], 2, '--sample must be a whole number from 1'],
    [['--replace-imported'], 2, '--replace-imported needs --all'],
    [['--with', 'magic'], 2, 'with'],
  ])('%j is refused', async (args, code, said) => {
    expect(await earshot('evaluate', '--project', service.project_id, ...args)).toMatchObject({
      code,
      out: expect.stringContaining(said) as string,
    })
  })

  test('an unknown project is said to be unknown', async () => {
    const { code, out } = await earshot('evaluate', '--project', 'nope')
    expect(code).toBe(1)
    expect(out).toContain('Project not found: "nope"')
  })
})
