import { request } from 'node:http'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { runEarshot, spawnEarshot } from '../support/run-earshot.js'
import { type RunningServer, startServer } from '../support/start-server.js'

const scratch = mkdtempSync(join(tmpdir(), 'earshot-test-'))
afterAll(() => rmSync(scratch, { recursive: true }))
const dataDir = join(scratch, 'data')
const place = ['--data-dir', dataDir]
const earshot = async (...args: string[]) => await runEarshot([...args, ...place])
const lines = (text: string) => text.trimEnd().split('\n')

async function done(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await earshot(...args)
  if (code !== 0) throw new Error(stderr)
  return stdout
}

const CALLS = 1_200
/** Most are of one time. */
const ONE_TIME = '2026-06-01T12:00:00.000Z'
/** Of most it matters only that they are there. Each so-manieth says all that a call can say. */
const WHOLE_EACH = 30
const FEW = CALLS / WHOLE_EACH

let exported: string
/** Of a project with the whole calls, where it is not about how many there are. */
let few: string
// Commands ask it, so that none opens the store and starts threads of its own; without it they are tried in whole-export.test.ts.
let server: RunningServer
let admin: string
const adminOf = async (project: string) => (await done('admin-token', '--role', 'Admin', '--project', project)).trim()
beforeAll(async () => {
  server = await startServer(dataDir)
  const { stdout } = await runEarshot(['generate', '--calls', String(FEW), '--seed', '7'])
  const generated = lines(stdout).map(line => JSON.parse(line))
  const calls = Array.from({ length: CALLS }, (_, i) => {
    const { session_id, agent_name, created_dt: _at, ...more } = generated[Math.floor(i / WHOLE_EACH)]
    const other = i < 75 || i >= CALLS - 75 ? i - CALLS / 2 : 0
    const created_dt = new Date(Date.parse(ONE_TIME) + other * 60_000).toISOString()
    if (i % WHOLE_EACH === 0) return { session_id, agent_name, created_dt, ...more }
    // In another order than they come in.
    return { session_id: `call-${(i * 7_919) % CALLS}`, agent_name, created_dt }
  })
  const importing = (project: string, some: readonly object[]) =>
    runEarshot(['import', '-', '--no-evaluate', '--project', project, ...place], {
      // Newest first: they are sorted in windows of a thousand, whose edge is among those of one time, whenever the others are.
      input: some
        .toReversed()
        .map(call => JSON.stringify(call))
        .join('\n'),
    })
  for (const project of ['shop', 'few', 'copy', 'empty']) await done('project', 'create', project)
  admin = await adminOf('shop')
  await importing('shop', calls)
  exported = await done('export', '--only', 'calls', '--project', 'shop')
  await importing(
    'few',
    calls.filter((_, i) => i % WHOLE_EACH === 0),
  )
  few = await done('export', '--only', 'calls', '--project', 'few')
  return async () => void (await server.end('SIGKILL'))
})

test('what was exported can be imported, and comes out again byte for byte', async () => {
  const places = lines(exported).map(line => {
    const { created_dt, session_id } = JSON.parse(line)
    return `${created_dt} ${session_id}`
  })
  expect(new Set(places).size).toBe(CALLS)
  expect(places).toEqual([...places].sort((a, b) => (a < b ? -1 : 1)))
  const { code } = await runEarshot(['import', '-', '--no-evaluate', '--project', 'copy', ...place], {
    input: exported,
  })
  expect(code).toBe(0)
  expect(await done('export', '--only', 'calls', '--project', 'copy')).toBe(exported)
})

test.each(['-', ''])('standard output is called "%s" too', async name => {
  expect(await done('export', name, '--only', 'calls', '--project', 'few')).toBe(few)
})

test('a file gets its name when it is whole, is compressed by its name and replaced only when asked', async () => {
  const file = join(scratch, 'calls.ndjson.gz')
  const report = JSON.parse(await done('export', file, '--only', 'calls', '--project', 'shop', '--json'))
  expect(report).toMatchObject({ project_id: 'shop', file, calls: CALLS, bytes: Buffer.byteLength(exported) })
  expect(gunzipSync(readFileSync(file)).toString()).toBe(exported)
  expect(statSync(file).mode & 0o777).toBe(0o600)

  const again = await earshot('export', file, '--only', 'calls', '--project', 'shop')
  expect(again).toMatchObject({ code: 1 })
  expect(again.stderr).toContain('--force')
  expect((await earshot('export', file, '--only', 'calls', '--project', 'empty', '--force')).code).toBe(0)
  expect(gunzipSync(readFileSync(file)).toString()).toBe('')

  const unknown = await earshot('export', join(scratch, 'none.ndjson'), '--project', 'nowhere')
  expect(unknown).toMatchObject({ code: 1 })
  expect(unknown.stderr).toContain('Project not found')
  expect(existsSync(join(scratch, 'none.ndjson'))).toBe(false)
  expect((await earshot('export', join(scratch, 'no', 'folder.gz'), '--project', 'shop')).code).toBe(1)
  expect(readdirSync(scratch).filter(name => name.endsWith('.part'))).toEqual([])
})

test('an erased call is gone, stays out, and comes back only when that is asked for', async () => {
  const [first = ''] = lines(few)
  const { session_id: id } = JSON.parse(first)
  const file = join(scratch, 'erased.ndjson')
  writeFileSync(file, first)
  const importing = (...flags: string[]) => earshot('import', file, '--project', 'few', ...flags)
  expect(JSON.parse(await done('erase', id, '--project', 'few', '--json'))).toMatchObject({ erased: true })
  expect((await earshot('erase', id, '--project', 'few')).stderr).toContain('Call not found')
  expect(lines(await done('export', '--only', 'calls', '--project', 'few'))).toHaveLength(FEW - 1)
  expect((await importing()).code).toBe(1)
  expect((await importing('--restore-erased')).code).toBe(0)
  expect(await done('export', '--only', 'calls', '--project', 'few')).toBe(few)
})

test('calls go out as vCons, which other products take, and come back as they were', async () => {
  const file = join(scratch, 'few.vcon.ndjson')
  await done('export', file, '--format', 'vcon', '--project', 'few')
  const containers = lines(readFileSync(file, 'utf8')).map(line => JSON.parse(line))
  expect(containers).toHaveLength(FEW)
  const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
  expect(new Set(containers.map(one => one.uuid)).size).toBe(FEW)
  for (const { vcon, uuid: id, parties, dialog } of containers) {
    expect([vcon, parties[0].role, parties[1].role]).toEqual(['0.4.0', 'agent', 'customer'])
    expect(id).toMatch(uuid)
    expect(dialog.every((one: { originator: number }) => parties[one.originator] !== undefined)).toBe(true)
  }
  await done('project', 'create', 'returned')
  await done('import', file, '--project', 'returned', '--no-evaluate')
  const whole = (text: string) =>
    lines(text).map(line => {
      const { session_metadata: metadata, ...call } = JSON.parse(line)
      // By whom it was known who the agent is belongs to the import.
      const { agent_speaker: _, agent_speaker_by: __, ...kept } = metadata
      return { ...call, session_metadata: kept }
    })
  expect(whole(await done('export', '--only', 'calls', '--project', 'returned'))).toEqual(whole(few))
})

describe('a running server', () => {
  test('exports the same as to commands to administrators only, and each call as it answers it', async () => {
    const ask = (path: string, token: string, method = 'GET') =>
      fetch(`${server.apiUrl}${path}`, { method, headers: { authorization: `Bearer ${token}` } })
    const answer = await ask('/api/v1/export', admin)
    expect(answer.headers.get('content-type')).toContain('application/x-ndjson')
    expect(answer.headers.get('x-total-count')).toBe(String(CALLS))
    expect(await answer.text()).toBe(exported)
    const head = await ask('/api/v1/export', admin, 'HEAD')
    expect([head.status, await head.text()]).toEqual([200, ''])

    const [first = ''] = lines(exported)
    const { session_id: id } = JSON.parse(first)
    expect(await (await ask(`/api/v1/interactions/${id}`, admin)).text()).toBe(first)

    const table = await ask('/api/v1/export/tables/signals?format=csv&text=none', admin)
    expect(table.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(table.headers.get('content-disposition')).toBe('attachment; filename="signals.csv"')
    expect((await table.text()).split('\n', 1)).toEqual(['session_id,position,key,state,strength,confidence'])
    const beginning = await fetch(`${server.apiUrl}/api/v1/export/tables/calls`, {
      headers: { authorization: `Bearer ${admin}`, range: 'bytes=0-3' },
    })
    expect([beginning.status, await beginning.text()]).toEqual([206, 'PAR1'])
    expect(beginning.headers.get('cache-control')).toBe('private, no-store')
    expect((await ask('/api/v1/export/tables/turns?text=none', admin)).status).toBe(404)
    expect(readdirSync(join(dataDir, 'tmp'))).toEqual([])

    const { key } = JSON.parse(
      await done('keys', 'mint', '--project', 'shop', '--name', 'k', '--role', 'Admin', '--json'),
    )
    expect((await ask('/api/v1/export', key)).status).toBe(403)
    expect((await ask('/api/v1/export/tables/calls', key)).status).toBe(403)
  })

  test('tables that a command writes by it are readable by nobody else', async () => {
    // As most systems have it; a store that was opened in this process has changed it. Whoever runs a command has it in a process of its own.
    const before = process.umask(0o022)
    onTestFinished(() => void process.umask(before))
    const folder = join(scratch, 'asked-of-a-server')
    mkdirSync(folder)
    const args = ['export', folder, '--format', 'csv', '--text', 'none', '--project', 'few', ...place]
    expect(await spawnEarshot(args)).toMatchObject({ code: 0 })
    const readable = readdirSync(folder).filter(name => (statSync(join(folder, name)).mode & 0o077) !== 0)
    expect([readdirSync(folder).length, readable]).toEqual([6, []])
  })

  // The last of it: it ends the server.
  test('keeps neither others nor its own end waiting for a reader that leaves or stands still', async () => {
    // More than fits into what lies between a server and its reader.
    await done('project', 'create', 'long')
    const call = { agent_name: 'Ana', created_dt: ONE_TIME }
    const transcript = [{ turn: 0, actor: 'customer', text: 'x'.repeat(1_000_000) }]
    const long = Array.from({ length: 8 }, (_, i) => JSON.stringify({ ...call, session_id: `long-${i}`, transcript }))
    const importing = ['import', '-', '--no-evaluate', '--project', 'long', ...place]
    expect(await runEarshot(importing, { input: long.join('\n') })).toMatchObject({ code: 0 })
    const authorization = `Bearer ${await adminOf('long')}`
    const open = () =>
      new Promise<ReturnType<typeof request>>(resolve => {
        const asking = request(`${server.apiUrl}/api/v1/export`, { headers: { authorization } })
        asking.on('error', () => undefined)
        asking.once('response', response => {
          response.on('error', () => undefined)
          resolve(asking)
        })
        asking.end()
      })
    // Each takes the one connection there is for exports, and none reads.
    for (let i = 0; i < 3; i += 1) {
      const asking = await open()
      asking.destroy()
      await sleep(20)
    }
    await open()
    const listed = await fetch(`${server.apiUrl}/api/v1/interactions`, { headers: { authorization } })
    expect(listed.status).toBe(200)
    // By itself: a server that waited for the reader would never end.
    expect(await server.end()).toMatchObject({ code: 0, signal: null })
  })
})

describe('without a server', () => {
  beforeAll(async () => void (await server.end('SIGKILL')))

  test('calls go out as tables, replaced only when asked, and without text where that is the choice', async () => {
    const folder = join(scratch, 'tables')
    const report = JSON.parse(await done('export', folder, '--format', 'csv', '--project', 'few', '--json'))
    expect(report.tables[0]).toMatchObject({ name: 'calls', rows: FEW })
    expect(readdirSync(folder).sort()).toEqual(
      ['calls', 'conditions', 'dimensions', 'guidance', 'scores', 'signals', 'turns'].map(name => `${name}.csv`),
    )
    expect(statSync(join(folder, 'calls.csv')).mode & 0o077).toBe(0)
    const again = await earshot('export', folder, '--format', 'parquet', '--project', 'few', '--text', 'none')
    expect(again.code).toBe(1)
    expect(again.stderr).toContain('--force')
    await done('export', folder, '--format', 'parquet', '--project', 'few', '--text', 'none', '--force')
    // Nothing of what was said stays beside it.
    expect(readdirSync(folder).sort()).toEqual(
      ['calls', 'conditions', 'dimensions', 'guidance', 'scores', 'signals'].map(name => `${name}.parquet`),
    )
    const silent = lines(await done('export', '--text', 'none', '--project', 'few')).map(line => JSON.parse(line))
    expect(silent).toHaveLength(FEW)
    expect(silent.filter(one => 'transcript' in one || 'title' in one || 'session_metadata' in one)).toEqual([])

    const pointless = await earshot('export', '--format', 'csv', '--project', 'few')
    expect([pointless.code, pointless.stderr]).toEqual([2, expect.stringContaining('name the folder')])
    const settings = await earshot('export', folder, '--format', 'csv', '--only', 'settings', '--project', 'few')
    expect([settings.code, settings.stderr]).toEqual([2, expect.stringContaining('Settings are no calls')])
    expect(readdirSync(scratch).filter(name => name.startsWith('.tables-'))).toEqual([])
  })
})
