import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { linesIn } from '../support/activity.js'
import { runEarshot } from '../support/run-earshot.js'
import { type RunningServer, startServer } from '../support/start-server.js'

// Every command works the same whether a server holds the store or nobody does; it never has to be told.

const call = (id: string, agent: string, more: object = {}) =>
  `${JSON.stringify({ session_id: id, agent_name: agent, created_dt: '2026-03-01T12:00:00Z', ...more })}\n`

/** What differs from run to run, made equal. */
const plain = (text: string) =>
  text
    .replaceAll(/key_[0-9a-f]{24}/g, 'KEY')
    .replaceAll(/esk_[\w-]{43}/g, 'TOKEN')
    .replaceAll(/esk_.{4}….{4}/g, 'PREVIEW')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/\/[^" ]*(held|here)-files/g, 'DIR')

/** A morning of an operator: every command, good and bad, with all it printed. */
async function morning(dataDir: string): Promise<readonly string[]> {
  const scratch = `${dataDir}-files`
  mkdirSync(scratch)
  const said: string[] = []
  const earshot = async (...args: string[]) => {
    const { code, stdout, stderr } = await runEarshot([...args, '--data-dir', dataDir])
    said.push(plain(`${args[0]} ${args[1]} ${code}\n${stdout}${stderr}`))
    return stdout
  }
  const file = join(scratch, 'calls.ndjson')
  const rejects = join(scratch, 'rejects.ndjson')
  writeFileSync(
    file,
    [
      call('a', 'Sam Lee', { title: '4111 1111 1111 1111' }),
      call('b', 'Sam Lee', { score: 7 }),
      call('c', 'Ana'),
      call('c', 'Ana', { score: 3 }),
    ].join(''),
  )

  await earshot('project', 'create', 'shop', '--timezone', 'Europe/Berlin', '--json')
  await earshot('project', 'create', 'shop')
  await earshot('project', 'set', 'shop', '--name', 'The shop', '--redact', 'on')
  await earshot('project', 'show', 'shop')
  await earshot('project', 'show', 'nope')
  await earshot('project', 'list')
  await earshot('import', file, '--project', 'shop', '--dry-run')
  await earshot('import', file, '--project', 'shop', '--rejects', rejects, '--json')
  await earshot('import', file, '--project', 'shop', '--dry-run', '--json')
  said.push(plain(readFileSync(rejects, 'utf8')))
  await earshot('import', file, '--project', 'nope')
  const mint = ['keys', 'mint', '--project', 'shop', '--name', 'Sam', '--agent', 'Sam Lee', '--agent', 'Samuel']
  const minted = JSON.parse(await earshot(...mint, '--role', 'SuperAdmin', '--json')) as { key_id: string }
  const id = minted.key_id
  await earshot('keys', 'list', '--project', 'shop')
  await earshot('keys', 'show', id, '--project', 'shop')
  await earshot('keys', 'show', id, '--project', 'shop', '--as-seen')
  await earshot('keys', 'show', 'key_nope', '--project', 'shop')
  await earshot('keys', 'set', id, '--project', 'shop', '--questions-per-day', '9', '--network', '10.0.0.0/8')
  await earshot('keys', 'set', id, '--project', 'shop', '--unset', 'network', '--name', 'Sam again')
  await earshot('keys', 'set', id, '--project', 'shop')
  await earshot('keys', 'set', id, '--project', 'shop', '--unset', 'name')
  const rotated = JSON.parse(await earshot('keys', 'rotate', id, '--project', 'shop', '--json')) as { key_id: string }
  await earshot('keys', 'rotate', id, '--project', 'shop')
  await earshot('keys', 'revoke', rotated.key_id, '--project', 'shop')
  await earshot('keys', 'show', rotated.key_id, '--project', 'shop', '--as-seen', '--json')
  await earshot('keys', 'list', '--project', 'shop', '--include-revoked', '--json')
  await earshot('teams', 'create', 'north', '--agent', 'Sam Lee', '--project', 'shop', '--json')
  await earshot('teams', 'create', 'north', '--project', 'shop')
  await earshot('teams', 'set', 'north', '--name', 'Team North', '--project', 'shop')
  const ofTeam = ['keys', 'mint', '--project', 'shop', '--name', 'A lead', '--team']
  await earshot(...ofTeam, 'nort')
  const { key_id: lead } = JSON.parse(await earshot(...ofTeam, 'north', '--json')) as { key_id: string }
  await earshot('keys', 'show', lead, '--project', 'shop', '--as-seen')
  await earshot('teams', 'list', '--project', 'shop')
  await earshot('teams', 'remove', 'north', '--project', 'shop')
  await earshot('teams', 'show', 'north', '--project', 'shop')
  await earshot('keys', 'show', lead, '--project', 'shop', '--as-seen')
  const token = await earshot('admin-token', '--project', 'shop')
  expect(token.split('.')).toHaveLength(3)
  said.pop()
  return said
}

/** What the audit trail says of it. */
async function onRecord(dataDir: string): Promise<readonly string[]> {
  const lines = (await linesIn(dataDir)) as unknown as Record<string, unknown>[]
  return lines.map(line =>
    [line['source'], line['transport'], line['page'], line['outcome'], line['status'], line['rows']].join(' '),
  )
}

describe('a morning of commands', () => {
  let scratch: string
  let server: RunningServer
  let held: string
  let own: string
  let throughServer: readonly string[]
  let onStore: readonly string[]

  beforeAll(async () => {
    scratch = mkdtempSync(join(tmpdir(), 'earshot-both-'))
    ;[held, own] = [join(scratch, 'held'), join(scratch, 'here')]
    server = await startServer(held)
    ;[throughServer, onStore] = await Promise.all([morning(held), morning(own)])
  })
  afterAll(async () => {
    await server.end()
    rmSync(scratch, { recursive: true, force: true })
  })

  test('prints the same to the last byte, with a server and without', () => {
    expect(throughServer).toEqual(onStore)
  })

  test('says what it should', () => {
    const text = onStore.join('\n')
    expect(text).toContain('Project exists already: "shop"')
    expect(text).toContain('Project not found: "nope"')
    expect(text).toContain('"received":4,"stored":2,"replaced":0,"duplicates":1,"rejected":1')
    expect(text).toContain('A dry run, nothing was written. What would be:\n\n2 of 4 calls')
    expect(text).toContain('"received":4,"stored":2,"replaced":2,')
    expect(text).toContain('"redacted":{"card":1,')
    expect(text).toContain('Sees             1 calls of 1 agents, TIME'.replace(', TIME', ', 2026-03-01 to 2026-03-01'))
    expect(text).toContain('Without calls    Samuel')
    expect(text).toContain('teams: the project has no team "nort"')
    expect(text).toContain('The team Team North (north) has 1 agent (teams)')
    expect(text).toContain('There is no team north: it adds nobody (teams)')
    expect(text).toContain('Sees             0 calls of 0 agents\n')
    expect(text).toContain('Key is revoked and stays so')
    expect(text).toContain('"accepted":false')
    expect(text).not.toMatch(/esk_/)
  })

  test('is on record as the operator’s, the same both ways', async () => {
    const [a, b] = [await onRecord(held), await onRecord(own)]
    expect(a).toEqual(b)
    expect(a).toContain('operator control POST /projects/:project_id/mcp-keys ok 201 ')
    // What only looks is no import.
    expect(a.filter(line => line.includes('/import ok'))).toEqual([
      'operator control POST /control/projects/:project_id/import ok 200 2',
    ])
    expect(a.every(line => line.startsWith('operator control '))).toBe(true)
  })

  test('went through the server: it knows of it at once', async () => {
    const metrics = await (await fetch(`${server.apiUrl}/metrics`)).text()
    expect(metrics).toContain('earshot_import_calls_total{result="stored"} 2')
    expect(metrics).toContain('earshot_import_calls_total{result="rejected"} 1')
    expect(metrics).toContain('transport="control",page="POST /projects/:project_id/mcp-keys",outcome="ok"} 2')
    expect(metrics).not.toMatch(/shop|Sam|key_[0-9a-f]{4}/)
    const doctor = await runEarshot(['doctor', '--data-dir', held, '--json', '--port', '0'])
    expect(doctor.stdout).toContain(`held by the running server (process ${server.process.pid}), which is ready`)
  })
})
