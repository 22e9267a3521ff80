import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { bin, cleanEnvironment, runEarshot, spawnEarshot } from '../support/run-earshot.js'
import { tempDir } from '../support/temp-dir.js'
import { isWhole } from '../support/whole.js'

const report = z.object({ received: z.int(), stored: z.int(), rejected: z.int(), skipped_files: z.int() })
const listed = z.object({
  calls: z.array(z.object({ agent_name: z.string() })),
  total: z.int(),
})

const explanation = z.object({
  files: z.int(),
  unknown_files: z.int(),
  formats: z.array(z.object({ rejected: z.int() })),
})

test('is explained without a project, and without a place to keep anything', async () => {
  const command = ['import', '--explain', 'examples/formats', '--map', 'agent_name?="Ann Lee"']
  const { stdout, code } = await runEarshot([...command, '--json'])
  expect(code).toBe(0)
  const { files, unknown_files: unknown, formats } = explanation.parse(JSON.parse(stdout))
  expect({ files, unknown, rejected: formats.filter(({ rejected }) => rejected > 0) }).toEqual({
    files: 39,
    unknown: 0,
    rejected: [],
  })
  const read = await runEarshot(command)
  expect(read.stdout).toMatch(/1 file looks like genesys: Genesys Cloud .*\n {2}1 of 1 calls would be taken/)
  expect(await runEarshot(['import', 'examples/formats'])).toMatchObject({ code: 2 })
})

test('a folder with a sample of every format comes in by one command', async () => {
  const where = ['--project', 'demo', '--data-dir', tempDir(), '--json']
  expect(await runEarshot(['project', 'create', 'demo', ...where.slice(2)])).toMatchObject({ code: 0 })
  const { stdout, code } = await runEarshot(['import', 'examples/formats', '--map', 'agent_name?="Ann Lee"', ...where])
  expect(code).toBe(0)
  const { stored } = report.parse(JSON.parse(stdout))
  expect(report.parse(JSON.parse(stdout))).toEqual({ received: stored, stored, rejected: 0, skipped_files: 0 })
  expect(stored).toBeGreaterThanOrEqual(39)
  const { calls, total } = listed.parse(JSON.parse((await runEarshot(['calls', '--limit', '50', ...where])).stdout))
  expect(total).toBe(stored)
  expect(new Set(calls.map(call => call.agent_name))).toEqual(
    new Set(['Ann Lee', 'ann.lee', 'acme-bot', 'Acme Assistant', 'Acme Voice', 'Acme Chat']),
  )
})

test('a saved mapping reads a source, and what is said beside it counts', async () => {
  const dir = tempDir()
  const where = ['--project', 'demo', '--data-dir', join(dir, 'data')]
  await runEarshot(['project', 'create', 'demo', ...where.slice(2)])
  const file = join(dir, 'own.json')
  const words = [
    { who: 'agent', words: 'Hello' },
    { who: 'customer', words: 'Hi' },
  ]
  writeFileSync(file, JSON.stringify({ id: 'd1', by: 'Bo', at: '2026-07-01 12:00', lines: words }))
  const map = ['session_id=id', 'agent_name=by', 'created_dt=at', 'turns=lines', 'turn.text=words', 'turn.speaker=who']
  const set = ['mapping', 'set', 'dialer', ...map.flatMap(one => ['--map', one]), '--time-zone', 'Europe/Berlin']
  expect(await runEarshot([...set, ...where])).toMatchObject({ code: 0 })
  const importing = ['import', file, '--mapping', 'dialer', ...where]
  // In a process of its own: how many threads a command has is decided at its start.
  const explained = await spawnEarshot([...importing, '--explain'])
  expect([explained.code, explained.stdout]).toEqual([0, expect.stringContaining('1 of 1 calls would be taken')])
  expect(await runEarshot([...importing, '--map', 'agent_name="Cem"'])).toMatchObject({ code: 0 })
  const { stdout } = await runEarshot(['export', '--only', 'calls', ...where])
  expect(JSON.parse(stdout)).toMatchObject({
    session_id: 'd1',
    agent_name: 'Cem',
    created_dt: '2026-07-01T10:00:00.000Z',
  })
  expect(await runEarshot(['import', file, '--mapping', 'dialler', ...where])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('saved: "dialer"'),
  })
  expect(await runEarshot(['import', file, '--mapping', 'dialer', '--explain'])).toMatchObject({ code: 2 })
})

test.runIf(isWhole)('an import that was interrupted goes on where it was, and says where', async () => {
  const dir = tempDir()
  const where = ['--project', 'demo', '--data-dir', join(dir, 'data')]
  await runEarshot(['project', 'create', 'demo', ...where.slice(2)])
  const line = (n: number) => JSON.stringify({ session_id: `c${n}`, agent_name: 'Ana', created_dt: '2026-03-10' })
  const LINES = 40_000
  const lines = Array.from({ length: LINES }, (_, n) => (n === 10 ? 'nonsense' : line(n)))
  const [file, rejects] = [join(dir, 'calls.ndjson'), join(dir, 'rejects.ndjson')]
  writeFileSync(file, lines.join('\n'))
  const command = ['import', file, '--no-evaluate', '--rejects', rejects, ...where]
  const child = spawn(process.execPath, [bin, ...command], { env: cleanEnvironment(), stdio: 'ignore' })
  const ended = once(child, 'exit')
  // From the moment its first batch is in the store, and that is noted; long before its last.
  const notes = join(dir, 'data', 'imports')
  const isNoted = () => existsSync(notes) && readdirSync(notes).some(name => name.endsWith('.json'))
  await expect.poll(isNoted, { interval: 10 }).toBe(true)
  child.kill('SIGKILL')
  await ended
  const { code, stderr, stdout } = await runEarshot([...command, '--json'])
  // What was rejected before counts.
  expect(code).toBe(1)
  expect(stderr).toMatch(
    /^Goes on where this import was interrupted at .*: file 1 of 1, ".*calls.ndjson", line \d+; \d+ calls/,
  )
  const said = z
    .object({ stored: z.int(), rejected: z.int(), went_on: z.object({ line: z.int(), rejected: z.int() }) })
    .parse(JSON.parse(stdout))
  expect(said.went_on.line).toBeGreaterThan(1)
  expect([said.rejected, said.went_on.rejected, said.stored]).toEqual([0, 1, LINES - (said.went_on.line - 1)])
  expect(readFileSync(rejects, 'utf8').trim().split('\n')).toHaveLength(1)
  const counted = await runEarshot(['calls', '--limit', '1', '--json', ...where])
  expect(listed.parse(JSON.parse(counted.stdout)).total).toBe(LINES - 1)
  // It is done: the same again begins at the beginning.
  expect(readdirSync(notes)).toEqual([])
})
