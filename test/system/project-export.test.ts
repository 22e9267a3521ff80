import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { runEarshot } from '../support/run-earshot.js'
import { startServer } from '../support/start-server.js'

const scratch = mkdtempSync(join(tmpdir(), 'earshot-test-'))
afterAll(() => rmSync(scratch, { recursive: true }))
const dataDir = join(scratch, 'data')
const earshot = (...args: string[]) => runEarshot([...args, '--data-dir', dataDir])

async function done(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await earshot(...args)
  if (code !== 0) throw new Error(`${args.join(' ')}: ${stderr}`)
  return stdout
}

test('everything of a project but its calls can be taken into another, and comes out again byte for byte', async () => {
  await done('project', 'create', 'shop', '--name', 'The shop', '--timezone', 'Europe/Berlin', '--redact', 'on')
  const server = await startServer(dataDir)
  const document = join(scratch, 'refunds.md')
  writeFileSync(document, '# Refunds\n\nWithin 14 days.\n\n# Shipping\n\nTwo days.\n')
  await done('kb', 'import', document, '--project', 'shop')
  const rubric = JSON.parse(await done('rubric', 'show', '--project', 'shop', '--json'))
  const own = join(scratch, 'rubric.yaml')
  writeFileSync(own, `# Ours\n${rubric.text}`)
  await done('rubric', 'set', own, '--project', 'shop')
  await done('alerts', 'add', '--project', 'shop', '--name', 'Poor', '--score-below', '2', '--agent', 'Sam Lee')
  const paused = await done(
    'alerts',
    'add',
    '--project',
    'shop',
    '--name',
    'Rare',
    '--signal',
    'sig.escalation',
    '--json',
  )
  await done('alerts', 'set', JSON.parse(paused).alert_id, '--project', 'shop', '--no-active')
  const hook = ['https://hooks.example.com/earshot', '--events', 'alert.triggered,key.minted']
  const { secret } = JSON.parse(await done('webhooks', 'add', ...hook, '--project', 'shop', '--json'))
  await done(
    'tasks',
    'create',
    'retention',
    '--project',
    'shop',
    '--schedule',
    '0 3 * * *',
    '--parameter',
    'calls_after_days=90',
  )

  const exported = await done('project', 'export', 'shop')
  const entries = exported
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
  expect(entries.map(({ entry }) => entry)).toEqual([
    'project',
    'rubric',
    'document',
    'alert',
    'alert',
    'webhook',
    'task',
  ])
  expect(entries[0]).toMatchObject({ name: 'The shop', timezone: 'Europe/Berlin', redact: true })
  expect(entries[2].sections.map(({ text }: { text: string }) => text)).toEqual(['Within 14 days.', 'Two days.'])
  expect(exported).not.toContain(secret)
  const file = join(scratch, 'shop.ndjson.gz')
  expect(JSON.parse(await done('project', 'export', 'shop', file, '--json'))).toMatchObject({ entries: 7 })
  expect(gunzipSync(readFileSync(file)).toString()).toBe(exported)

  const taken = JSON.parse(await done('project', 'import', file, '--project', 'copy', '--json'))
  expect(taken).toMatchObject({ project_id: 'copy', created: true, added: 7, unchanged: 0 })
  expect(taken.secrets).toMatchObject([{ url: hook[0], secret: expect.stringMatching(/^whsec_/) }])
  expect(taken.secrets[0].secret).not.toBe(secret)
  expect(await done('project', 'export', 'copy')).toBe(exported)
  const again = JSON.parse(await done('project', 'import', file, '--project', 'copy', '--json'))
  expect(again).toEqual({ project_id: 'copy', created: false, added: 0, unchanged: 7, secrets: [] })
  await server.end()
  // Without a server the same.
  expect(await done('project', 'export', 'copy')).toBe(exported)
}, 120_000)

test('what is no export of a project is refused with its place, and nothing is changed', async () => {
  const refused = async (...lines: string[]) => {
    const file = join(scratch, 'bad.ndjson')
    writeFileSync(file, lines.join('\n'))
    const { code, stderr } = await earshot('project', 'import', file, '--project', 'never')
    return [code === 0, stderr]
  }
  const call = '{"session_id": "a", "agent_name": "Ana", "created_dt": "2026-03-01T10:00:00Z"}'
  expect(await refused(call)).toEqual([false, expect.stringContaining('Calls are taken by "earshot import"')])
  const project = '{"entry": "project", "name": "x", "timezone": "UTC"}'
  expect(await refused(project, '{"entry": "alert", "name": "x"}')).toEqual([false, expect.stringContaining('entry 2')])
  expect(await refused(project, 'nonsense')).toEqual([false, expect.stringContaining('entry 2: is no JSON')])
  expect((await earshot('project', 'import', join(scratch, 'nowhere'), '--project', 'never')).stderr).toContain(
    'no such file',
  )
  expect(await done('project', 'list')).not.toContain('never')
}, 120_000)
