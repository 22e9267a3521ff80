import { writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runEarshot } from '../support/run-earshot.js'
import { tempDir } from '../support/temp-dir.js'

const BY_AGENT = JSON.stringify([
  { $match: { created_dt: { $gte: '2026-03-01' } } },
  { $group: { _id: '$agent_name', calls: { $sum: 1 }, last: { $max: '$created_dt' } } },
  { $sort: { _id: 1 } },
])

const CALLS = ['2026-02-28T23:59:59Z', '2026-03-01T00:00:00Z', '2026-03-05T12:00:00+02:00']
  .map((created_dt, i) => JSON.stringify({ session_id: `s${i}`, agent_name: i < 2 ? 'Ana' : 'Ben', created_dt }))
  .join('\r\n')

async function files(given: Readonly<Record<string, string>>) {
  const folder = tempDir()
  await Promise.all(Object.entries(given).map(([name, text]) => writeFile(join(folder, name), text)))
  return (name: string) => join(folder, name)
}

describe('earshot pipeline run', () => {
  test('prints what comes out, a document a line', async () => {
    const file = await files({ 'by-agent.json': BY_AGENT, 'calls.ndjson': `\uFEFF${CALLS}\n\n` })
    const args = ['pipeline', 'run', '--calls', '--documents']
    const ran = await runEarshot([...args, file('calls.ndjson'), file('by-agent.json')])
    expect(ran).toEqual({
      code: 0,
      stdout:
        '{"_id":"Ana","calls":1,"last":{"$date":"2026-03-01T00:00:00.000Z"}}\n{"_id":"Ben","calls":1,"last":{"$date":"2026-03-05T10:00:00.000Z"}}\n',
      stderr: '',
    })
    const piped = await runEarshot([...args, '-', file('by-agent.json')], { input: CALLS })
    expect(piped).toEqual(ran)
    const asked = await runEarshot([...args, file('calls.ndjson'), '-', '--json'], { input: BY_AGENT })
    expect(JSON.parse(asked.stdout)).toMatchObject({
      count: 2,
      warnings: [],
      documents: [{ _id: 'Ana' }, { _id: 'Ben' }],
    })
  })

  test('says advice on stderr', async () => {
    const file = await files({ 'p.json': '[{"$match":{"scroe":1}}]', 'calls.ndjson': CALLS })
    const ran = await runEarshot(['pipeline', 'run', '--calls', '--documents', file('calls.ndjson'), file('p.json')])
    expect(ran).toMatchObject({ code: 0, stdout: '' })
    expect(ran.stderr).toContain('did you mean "score"')
  })

  test.each([
    [
      'a pipeline that is refused',
      '[{"$lookup":{}}]',
      '{}',
      1,
      'pipeline[0].$lookup: The stage "$lookup" is not allowed',
    ],
    ['no JSON', '[{"$match"', '{}', 2, /p\.json is not JSON: /],
    ['a line that is no JSON', '[]', '{"a":1}\n\n{"a":', 2, /d\.ndjson, line 3 is not JSON: /],
    ['a line that is no document', '[]', '{"a":1}\n[1]', 2, /d\.ndjson, line 2: document is no document/],
    [
      'a value no document holds',
      '[]',
      '{"a":{"b":{"$date":"x"}}}',
      2,
      /line 1: document\.a\.b: \$date can't read "x"/,
    ],
    ['an error of an expression', '[{"$set":{"x":{"$divide":[1,"$a"]}}}]', '{"a":0}', 1, /\$divide/],
  ])('fails for %s, and says where', async (_what, pipeline, documents, code, sentence) => {
    const file = await files({ 'p.json': pipeline, 'd.ndjson': documents })
    const ran = await runEarshot(['pipeline', 'run', '--documents', file('d.ndjson'), file('p.json')])
    expect(ran).toMatchObject({ code, stdout: '' })
    expect(ran.stderr).toMatch(sentence)
  })

  test.each([
    ['files that are not there', ['--documents', 'no-such-file', 'neither'], /can't be read: there is no such file/],
    ['one standard input for both', ['--documents', '-', '-'], /not both/],
    ['no documents', ['p.json'], /Something is missing: --documents/],
    ['no time', ['--documents', '-', 'p.json', '--timeout', '0'], /--timeout/],
  ])('refuses %s as wrong usage', async (_what, args, sentence) => {
    const ran = await runEarshot(['pipeline', 'run', ...args])
    expect(ran).toMatchObject({ code: 2, stdout: '' })
    expect(ran.stderr).toMatch(sentence)
  })
})

describe('earshot pipeline explain', () => {
  test('shows pipeline, plan, SQL and its parameters without a store', async () => {
    const file = await files({ 'p.json': BY_AGENT })
    const folder = tempDir()
    const { code, stdout } = await runEarshot([
      'pipeline',
      'explain',
      file('p.json'),
      '--agent',
      "O'Hara",
      '--data-dir',
      folder,
    ])
    expect(code).toBe(0)
    expect(stdout).toContain('Plan: 3 stages in the engine\n')
    expect(stdout).toContain(`{"$match":{"agent_name":{"$in":["O'Hara"]}}}`)
    expect(stdout).toMatch(/where "project_id" = \$1::VARCHAR and "agent_name" = \$2::VARCHAR/)
    expect(stdout).toContain(`$2 = "O'Hara"`)
    expect(existsSync(join(folder, 'earshot.duckdb'))).toBe(false)
  })

  test('says which stage runs after the engine', async () => {
    const input = '[{"$match":{"score":{"$gt":1}}},{"$redact":"$$DESCEND"},{"$limit":5}]'
    const { stdout } = await runEarshot(['pipeline', 'explain', '-'], { input })
    expect(stdout).toContain('Plan: 1 stage in the engine, 2 stages after it, from $redact on\n')
    const { stdout: json } = await runEarshot(['pipeline', 'explain', '-', '--json'], { input })
    expect(JSON.parse(json)).toMatchObject({
      plan: { engine_stages: 1, evaluated_stages: 2 },
      first_evaluated: '$redact',
    })
  })

  test('asks a store for the project only when told one', async () => {
    const place = ['--data-dir', tempDir()]
    expect(await runEarshot(['project', 'create', 'shop', ...place])).toMatchObject({ code: 0 })
    const ran = await runEarshot(['pipeline', 'explain', '-', '--project', 'nowhere', ...place], { input: '[]' })
    expect(ran).toMatchObject({ code: 1, stdout: '', stderr: 'Project not found: "nowhere"\n' })
  })
})
