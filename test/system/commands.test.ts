import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, onTestFinished, test } from 'vitest'
import { closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { bin, cleanEnvironment, runEarshot } from '../support/run-earshot.js'
import { tempDir } from '../support/temp-dir.js'
import { isWhole } from '../support/whole.js'

describe('projects and keys from the command line', () => {
  test('live in the data directory, and show a token once', async () => {
    const dataDir = join(tempDir(), 'data')
    const earshot = (...args: string[]) => runEarshot([...args, '--data-dir', dataDir, '--json'])

    const created = await earshot('project', 'create', 'shop', '--timezone', 'Europe/Berlin')
    expect(JSON.parse(created.stdout)).toMatchObject({ project_id: 'shop', timezone: 'Europe/Berlin' })

    const mint = ['keys', 'mint', '--project', 'shop', '--name', 'Sam', '--role', 'none', '--no-supervisor']
    const minted = await earshot(...mint, '--agent', 'Sam Lee', '--require-mapping')
    const key = JSON.parse(minted.stdout)
    expect(key).toMatchObject({ is_supervisor: false, roles: [], allowed_agents: ['Sam Lee'], require_mapping: true })
    expect(key.key).toMatch(/^esk_[\w-]{43}$/)

    const shown = await earshot('keys', 'show', key.key_id, '--project', 'shop')
    expect(JSON.parse(shown.stdout).key_preview).toBe(`${key.key.slice(0, 8)}…${key.key.slice(-4)}`)
    expect(shown.stdout).not.toContain(key.key)

    const set = ['keys', 'set', key.key_id, '--project', 'shop']
    const bounded = await earshot(...set, '--network', '10.0.0.0/8', '--text', 'none', '--min-group', '9')
    expect(JSON.parse(bounded.stdout)).toMatchObject({ allowed_networks: ['10.0.0.0/8'], text: 'none', min_group: 9 })
    const free = JSON.parse((await earshot(...set, '--unset', 'network', '--unset', 'text')).stdout)
    expect(free).toMatchObject({ min_group: 9, allowed_agents: ['Sam Lee'] })
    expect([free.allowed_networks, free.text]).toEqual([undefined, undefined])
    expect(JSON.parse((await earshot(...set, '--unset', 'agent,min-group')).stdout)).toMatchObject({
      allowed_agents: [],
      require_mapping: true,
    })

    await earshot('keys', 'revoke', key.key_id, '--project', 'shop')
    const listed = await earshot('keys', 'list', '--project', 'shop', '--include-revoked')
    expect(JSON.parse(listed.stdout).keys).toMatchObject([{ key_id: key.key_id, active: false }])

    const unknown = await earshot('keys', 'show', 'key_nope', '--project', 'shop')
    expect(unknown).toMatchObject({ code: 1, stdout: '' })
  })
})

test('who heard a call is told by its id, for those who read the data directory, also when it is erased', async () => {
  const scratch = tempDir()
  const place = ['--data-dir', join(scratch, 'data')]
  const shop = ['--project', 'shop', ...place]
  await runEarshot(['project', 'create', 'shop', ...place])
  await runEarshot(['project', 'create', 'other', ...place])
  const file = join(scratch, 'calls.ndjson')
  const call = (id: string) => JSON.stringify({ session_id: id, agent_name: 'Sam', created_dt: '2026-03-01T12:00:00Z' })
  writeFileSync(file, ['heard', 'compared', 'unheard'].map(id => `${call(id)}\n`).join(''))
  await runEarshot(['import', file, ...shop])
  expect((await runEarshot(['call', 'heard', ...shop])).code).toBe(0)
  const who = async (id: string, project = 'shop') =>
    JSON.parse((await runEarshot(['audit', 'heard', id, '--project', project, ...place, '--json'])).stdout).requests
  const heard = await who('heard')
  expect(heard).toMatchObject([{ source: 'operator', name: 'operator', project_id: 'shop', outcome: 'ok' }])
  expect(JSON.stringify(heard)).not.toContain('"heard"')
  expect(
    (await runEarshot(['ask', 'compare_calls', 'session_id_a=compared', 'session_id_b=heard', ...shop])).code,
  ).toBe(0)
  expect([(await who('heard')).length, (await who('compared')).length]).toEqual([2, 1])
  expect(await who('unheard')).toEqual([])
  expect(await who('heard', 'other')).toEqual([])
  expect((await runEarshot(['audit', 'heard', 'unheard', ...shop])).stdout).toBe('Nobody asked for it by its id.\n')
  await runEarshot(['erase', 'heard', ...shop])
  expect(await who('heard')).toMatchObject([heard[0], { page: 'GET /api/v1/compare' }, { outcome: 'ok' }])
})

test('with four eyes a command waits like any request, and the operator is one person', async () => {
  const dataDir = join(tempDir(), 'data')
  const env = { EARSHOT_FOUR_EYES: '1' }
  const earshot = (...args: string[]) => runEarshot([...args, '--data-dir', dataDir], { env })
  await earshot('project', 'create', 'shop')
  const mint = ['keys', 'mint', '--project', 'shop', '--name', 'all']
  expect((await earshot(...mint, '--agent', 'Sam Lee')).code).toBe(0)
  const asked = await earshot(...mint)
  expect(asked).toMatchObject({ code: 1, stdout: '' })
  const [id = ''] = /appr_[0-9a-f]+/.exec(asked.stderr) ?? []
  expect((await earshot('approvals', 'list', '--project', 'shop')).stdout).toContain(id)
  expect((await earshot('approvals', 'confirm', id, '--project', 'shop')).stderr).toContain('You asked for this')
  expect((await earshot(...mint)).code).toBe(1)
  expect((await earshot('approvals', 'refuse', id, '--project', 'shop')).code).toBe(0)
})

describe('earshot import', () => {
  const call = (id: string, more: object = {}) =>
    `${JSON.stringify({ session_id: id, agent_name: 'Sam Lee', created_dt: '2026-03-01T12:00:00Z', ...more })}\n`

  test.runIf(isWhole)('masks personal data when asked, or when the project is set to', async () => {
    const scratch = tempDir()
    const place = ['--data-dir', join(scratch, 'data'), '--json']
    await runEarshot(['project', 'create', 'shop', ...place])
    const file = join(scratch, 'calls.ndjson')
    writeFileSync(file, call('a', { title: 'mail kim@example.com' }))
    const importing = async (...flags: string[]) =>
      JSON.parse((await runEarshot(['import', file, '--project', 'shop', ...place, ...flags])).stdout).redacted
    expect(await importing()).toBeUndefined()
    const redact = (...flags: string[]) =>
      runEarshot(['redact', '--stored', '--project', 'shop', '--data-dir', join(scratch, 'data'), ...flags])
    expect(JSON.parse((await redact('--dry-run', '--json')).stdout)).toMatchObject({
      dry_run: true,
      looked: 1,
      masked: 1,
      calls: { email: 1 },
    })
    expect((await redact('--kind', 'card')).stdout).toContain('0 of 1 calls of project shop were masked')
    expect((await redact()).stdout).toMatch(
      /1 of 1 calls of project shop were masked[^]*email +1 +1[^]*earshot compact/,
    )
    expect((await redact('--dry-run')).stdout).toContain('0 of 1 calls')
    expect((await runEarshot(['redact', '--project', 'shop'])).stderr).toContain('--stored')
    expect(await importing('--redact')).toMatchObject({ email: 1, card: 0 })
    const set = await runEarshot(['project', 'set', 'shop', '--redact', 'on', ...place])
    expect(JSON.parse(set.stdout)).toMatchObject({ redact: true })
    expect(await importing()).toMatchObject({ email: 1 })
    const some = await runEarshot(['project', 'set', 'shop', '--redact-kinds', 'pin,card', ...place])
    expect(JSON.parse(some.stdout)).toMatchObject({ redact: true, redact_kinds: ['card', 'cvv', 'pin'] })
    expect(await importing()).toMatchObject({ email: 0 })
    expect(await importing('--redact')).toMatchObject({ email: 1 })
  })

  test('maps fields, and says what is wrong with a mapping', async () => {
    const scratch = tempDir()
    const place = ['--project', 'shop', '--data-dir', join(scratch, 'data'), '--json']
    await runEarshot(['project', 'create', 'shop', '--data-dir', join(scratch, 'data')])
    const file = join(scratch, 'call-7 2026-03-01 09.30.vtt')
    writeFileSync(file, 'WEBVTT\n\n00:01.000 --> 00:02.000\n<v One>Hello.\n\n00:02.500 --> 00:03.000\n<v Two>Hi.\n')
    const map = ['--map', 'agent_name="Sam"', '--map', 'created_dt=@file_time', '--time-zone', 'Europe/Berlin']
    const done = await runEarshot([
      'import',
      ...map,
      '--agent-speaker',
      'two',
      '--agent-speaker',
      'three',
      file,
      ...place,
    ])
    expect([done.code, done.stderr]).toEqual([0, ''])
    expect(JSON.parse(done.stdout)).toMatchObject({ stored: 1 })
    const wrong = await runEarshot(['import', file, '--map', 'agent_nme=x', ...place])
    expect(wrong.code).toBe(2)
    expect(wrong.stderr).toContain('did you mean')
  })

  test('keeps the good lines, reports the bad ones, and exits with 0 only when there are none', async () => {
    const scratch = tempDir()
    const place = ['--project', 'shop', '--data-dir', join(scratch, 'data')]
    await runEarshot(['project', 'create', 'shop', '--data-dir', join(scratch, 'data')])
    const file = join(scratch, 'calls.ndjson')
    writeFileSync(file, `${call('a')}${call('b', { score: 7 })}{"session_id"`)
    const rejects = join(scratch, 'rejects.ndjson')

    const mixed = await runEarshot(['import', file, ...place, '--rejects', rejects, '--json'])
    expect(mixed.code).toBe(1)
    expect(JSON.parse(mixed.stdout)).toMatchObject({ project_id: 'shop', received: 3, stored: 1, rejected: 2 })
    expect(
      readFileSync(rejects, 'utf8')
        .trimEnd()
        .split('\n')
        .map(line => JSON.parse(line)),
    ).toMatchObject([
      { line: 2, path: 'score' },
      { line: 3, path: '' },
    ])

    const gzipped = join(scratch, 'calls.ndjson.gz')
    writeFileSync(gzipped, gzipSync(call('c') + call('a')))
    const good = await runEarshot(['import', gzipped, ...place, '--json'])
    expect(good.code).toBe(0)
    expect(JSON.parse(good.stdout)).toMatchObject({ stored: 2, replaced: 1, rejected: 0 })

    const piped = await runEarshot(['import', '-', ...place, '--json'], { input: call('d') })
    expect(JSON.parse(piped.stdout)).toMatchObject({ stored: 1 })
  })

  test('says what is missing', async () => {
    const dataDir = join(tempDir(), 'data')
    expect(await runEarshot(['project', 'create', 'shop', '--data-dir', dataDir])).toMatchObject({ code: 0 })
    const noProject = await runEarshot(['import', '-', '--project', 'nope', '--data-dir', dataDir], {
      input: call('a'),
    })
    expect(noProject).toMatchObject({ code: 1, stderr: 'Project not found: "nope"\n' })
    expect(await runEarshot(['import', '-'])).toMatchObject({ code: 2, stdout: '' })
  })
})

test('what keeps a store from being opened is a sentence, not a stack', async () => {
  const dataDir = join(tempDir(), 'data')
  const list = async () => (await runEarshot(['project', 'list', '--data-dir', dataDir])).stderr
  writeFileSync(dataDir, '')
  expect(await list()).toBe(`The data directory ${dataDir} is a file\n`)
  rmSync(dataDir)
  await runEarshot(['project', 'create', 'shop', '--data-dir', dataDir])
  const secret = join(dataDir, 'cursor.key')
  writeFileSync(secret, 'x')
  expect(await list()).toBe(`The secret file ${secret} is damaged; restore it, or remove it to have a new one\n`)
})

describe('earshot generate', () => {
  test('ends without a word when its reader has enough, as head does', async () => {
    const child = spawn(process.execPath, [bin, 'generate', '--calls', '2000', '--report', join(tempDir(), 'report')], {
      env: cleanEnvironment(),
    })
    let stderr = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    child.stdout.once('data', () => child.stdout.destroy())
    const [code] = await once(child, 'close')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })

  test.skipIf(!existsSync('/dev/full'))('says that the disk is full when its output finds no room', async () => {
    const full = openSync('/dev/full', 'w')
    onTestFinished(() => closeSync(full))
    const child = spawn(process.execPath, [bin, 'generate', '--calls', '20', '--report', join(tempDir(), 'report')], {
      env: cleanEnvironment(),
      stdio: ['ignore', full, 'pipe'],
    })
    let stderr = ''
    child.stderr!.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    const [code] = await once(child, 'close')
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^The disk is full: make room \(.+\)\n$/),
    })
  })

  test('makes the same bytes of the same seed', async () => {
    const args = ['generate', '--calls', '20', '--seed', '7', '--end', '2026-03-01', '--json']
    const [first, second] = [await runEarshot(args), await runEarshot(args)]
    expect(first.stdout.trimEnd().split('\n')).toHaveLength(20)
    expect(second).toEqual(first)
    expect(JSON.parse(first.stderr)).toMatchObject({ calls: 20, seed: 7, end: '2026-03-01T00:00:00.000Z' })
  })
})
