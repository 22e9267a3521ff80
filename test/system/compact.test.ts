import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { runEarshot } from '../support/run-earshot.js'
import { startServer } from '../support/start-server.js'
import { isWhole } from '../support/whole.js'

const scratch = mkdtempSync(join(tmpdir(), 'earshot-test-'))
afterAll(() => rmSync(scratch, { recursive: true }))
const dataDir = join(scratch, 'data')

async function done(args: readonly string[], input?: string): Promise<string> {
  const { code, stdout, stderr } = await runEarshot(
    [...args, '--data-dir', dataDir],
    input === undefined ? {} : { input },
  )
  if (code !== 0) throw new Error(`${args.join(' ')}: ${stderr}`)
  return stdout
}

/** The audit trail, line by line. */
function auditLines() {
  const directory = join(dataDir, 'activity')
  const texts = readdirSync(directory)
    .filter(name => name.endsWith('.jsonl'))
    .sort()
    .map(name => readFileSync(join(directory, name), 'utf8'))
  return texts
    .join('')
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
}

test.runIf(isWhole)('the store is compacted while the server is stopped, and only then', async () => {
  await done(['project', 'create', 'shop'])
  await done(['import', '-', '--project', 'shop'], await done(['generate', '--calls', '300', '--seed', '3']))
  const server = await startServer(dataDir)
  const [first = ''] = (await done(['export', '--only', 'calls', '--project', 'shop'])).split('\n')
  await done(['erase', JSON.parse(first).session_id, '--project', 'shop'])
  const exported = await done(['export', '--only', 'calls', '--project', 'shop'])
  const held = await runEarshot(['compact', '--data-dir', dataDir])
  expect(held).toMatchObject({ code: 1, stderr: expect.stringMatching(/is in use by process \d+/) })
  await server.end()
  expect(JSON.parse(await done(['compact', '--json']))).toMatchObject({ data_dir: dataDir, calls: 299 })
  // On record, as whatever the operator does, behind what was there.
  const trail = auditLines()
  expect(trail.at(-1)).toMatchObject({ page: 'compact', outcome: 'ok', source: 'operator', name: 'operator' })
  expect(trail.map(({ seq }) => seq)).toEqual(trail.map((_, i) => i + 1))
  expect(JSON.parse(await done(['doctor', '--json']).catch(String))).toBeDefined()
  expect(await done(['export', '--only', 'calls', '--project', 'shop'])).toBe(exported)
})
