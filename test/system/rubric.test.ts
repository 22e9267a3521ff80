import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defaultRubric } from '../../src/evaluation/rubric/built-in-rubrics.js'
import { runEarshot } from '../support/run-earshot.js'
import { type RunningService, startService } from '../support/start-service.js'
import { isWhole } from '../support/whole.js'

let dir: string
let service: RunningService
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'earshot-test-'))
  service = await startService({ dataDir: join(dir, 'data') })
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

const rubric = async (method: string, path: string, body?: object) => {
  const response = await fetch(`${service.api_url}/api/v1/rubric${path}`, {
    method,
    headers: {
      authorization: `Bearer ${service.admin_token}`,
      'content-type': 'application/json',
      'x-project-id': service.project_id,
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: response.status, json: (await response.json()) as Record<string, unknown> }
}

describe("an operator changes a project's rubric", () => {
  test.runIf(isWhole)(
    'shows it, checks a changed one, sees what it would change, sets it, and sees the difference',
    async () => {
      const file = join(dir, 'own.yaml')
      const shown = await earshot('rubric', 'show', '--project', service.project_id)
      // A page, which is a rubric.
      expect(shown.out.split('\n').length).toBeLessThan(60)
      expect(shown.out).toContain('opening, 10 %: greeting_given 3, brand_named 2, agent_named 2, help_offered 3')
      writeFileSync(file, `${shown.out}name: own\nsignals:\n  - key: sig.greeting_given\n    weight: 40\n`)
      expect((await earshot('rubric', 'check', file)).out).toContain('own is a good rubric: 28 signals')
      const absent = await earshot('rubric', 'check', 'absent.yaml')
      expect(absent).toEqual({ code: 2, out: "absent.yaml can't be read: there is no such file\n" })
      const tried = await earshot('rubric', 'try', file, '--project', service.project_id, '--sample', '20')
      expect(tried.out).toContain('own on 20 calls: 20 evaluated')
      expect((await rubric('GET', '')).json['version']).toBe(defaultRubric.version)
      expect((await earshot('rubric', 'diff', file, '--project', service.project_id)).out).toBe(
        '~ name: support-calls → own\n~ signals sig.greeting_given weight: 3 → 40\n',
      )
      const set = await earshot('rubric', 'set', file, '--project', service.project_id)
      expect(set).toMatchObject({ code: 0, out: expect.stringContaining('version project-1') as string })
      expect((await earshot('rubric', 'show', '--project', service.project_id)).out).toBe(readFileSync(file, 'utf8'))
      const full = await earshot('rubric', 'show', '--project', service.project_id, '--full')
      expect(full.out).toMatch(/^name: own$/m)
      expect(full.out).toContain('  contacted_before:\n')
      const whole = join(dir, 'whole.yaml')
      writeFileSync(whole, full.out)
      expect((await earshot('rubric', 'diff', whole, '--project', service.project_id)).out).toBe(
        'No difference to version project-1\n',
      )
      const { text } = (await rubric('GET', '?full=true')).json as { text: string }
      expect(JSON.parse(text)).toMatchObject({ name: 'own', signals: { length: 28 } })
      const { json } = await rubric('GET', '/versions')
      expect(json['versions']).toEqual([
        expect.objectContaining({ name: 'own', version: 'project-1', set_by: 'operator' }),
      ])
    },
  )

  test('is told line and column of what is wrong, and nothing changes', async () => {
    const before = await rubric('GET', '')
    const file = join(dir, 'bad.yaml')
    writeFileSync(file, 'name: own\ntitle: Own\nlanguage: english\n')
    const { code, out } = await earshot('rubric', 'set', file, '--project', service.project_id)
    expect(code).not.toBe(0)
    expect(out).toContain('Line 3, column 1: field "language" must be a language of ISO 639 such as en')
    const refused = await rubric('PUT', '', { text: 'name: [' })
    expect(refused.status).toBe(422)
    expect(refused.json['error']).toContain('Line 1, column')
    expect((await rubric('PUT', '', { text: 'a', built_in: 'b' })).status).toBe(422)
    expect((await rubric('PUT', '', { built_in: 'nope' })).status).toBe(404)
    expect(await rubric('GET', '')).toEqual(before)
  })

  test('sets over REST what it changes only, and is told where a change is wrong', async () => {
    const text = 'extends: sales-calls\nname: ours\nlists:\n  budget:\n    add: [what is in the kitty]\n'
    expect((await rubric('PUT', '', { text })).json).toMatchObject({ name: 'ours', title: 'Sales calls', text })
    const trial = await rubric('POST', '/try', { text: text.replace('kitty', 'purse'), sample: 2 })
    expect(trial.json).toMatchObject({ rubric: 'ours', summary: { evaluated: 2 } })
    const refused = await rubric('PUT', '', { text: text.replace('add: [', 'remove: [') })
    expect(refused).toMatchObject({
      status: 422,
      json: {
        error:
          'Line 5, column 14: field "lists.budget.remove.0" removes what sales-calls has not: "what is in the kitty"',
      },
    })
  })

  test('no application key may read or change it', async () => {
    const answers = await Promise.all(
      ['GET', 'PUT'].map(async method => {
        const headers = { authorization: `Bearer ${service.application_key}`, 'content-type': 'application/json' }
        const body = method === 'PUT' ? '{}' : null
        return (await fetch(`${service.api_url}/api/v1/rubric`, { method, headers, body })).status
      }),
    )
    expect(answers).toEqual([403, 403])
  })
})
