import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { BATCH_CALLS } from '../../src/store/store.js'
import { bin, cleanEnvironment, runEarshot } from '../support/run-earshot.js'
import { type RunningService, startService } from '../support/start-service.js'

const scratch = mkdtempSync(join(tmpdir(), 'earshot-test-'))
const dataDir = join(scratch, 'data')
const CALLS = 300
let service: RunningService

beforeAll(async () => {
  service = await startService({ dataDir, calls: CALLS })
})

afterAll(async () => {
  await service.end()
  rmSync(scratch, { recursive: true, force: true })
})

const here = (...args: string[]) => runEarshot([...args, '--data-dir', dataDir])
const remote = (...args: string[]) =>
  runEarshot([...args, '--url', service.api_url], { env: { EARSHOT_KEY: service.application_key } })

/** Times pass between two answers. */
const settled = (json: string) =>
  json.replace(/"to":"[^"]*"/, '').replace(/"elapsed_ms":\d+|"next_cursor":"[^"]*"/g, '')

const pipeline = join(scratch, 'by-agent.json')
writeFileSync(pipeline, '[{"$group":{"_id":"$agent_name","calls":{"$sum":1}}},{"$sort":{"calls":-1,"_id":1}}]')

const COMMANDS: readonly (readonly [string, readonly string[]])[] = [
  ['calls', ['calls', '--sort', 'score_asc', '--limit', '3', '--min-score', '2']],
  ['agents', ['agents', '--include-signals']],
  ['summary', ['summary']],
  ['changes', ['changes', 'last week', '--categories', 'signals', '--categories', 'agents']],
  ['query', ['query', pipeline]],
  ['ask', ['ask', 'get_signals', 'limit=3', 'active_only=false']],
]

test.each(COMMANDS)('earshot %s answers the same here and elsewhere, exactly with --json', async (_, args) => {
  const [local, far] = await Promise.all([here(...args, '--json'), remote(...args, '--json')])
  expect([local.code, local.stderr, far.code, far.stderr]).toEqual([0, '', 0, ''])
  expect(settled(far.stdout)).toBe(settled(local.stdout))
  expect(JSON.parse(local.stdout)).toBeTypeOf('object')
  const text = await here(...args)
  expect(text).toMatchObject({ code: 0, stderr: '' })
  // eslint-disable-next-line no-control-regex
  expect(text.stdout).not.toMatch(/\u001b|undefined|NaN|\[object/)
})

test('earshot call shows the whole of a call', async () => {
  const { calls } = JSON.parse((await here('calls', '--sort', 'score_asc', '--limit', '1', '--json')).stdout)
  const [{ session_id: id, agent_name: agent }] = calls
  const [{ stdout: text }, { stdout: json }] = await Promise.all([remote('call', id), here('call', id, '--json')])
  const call = JSON.parse(json)
  expect(text).toContain(agent)
  for (const { text: said } of call.transcript) expect(text).toContain(said)
  for (const signal of call.signals) expect(text).toContain(signal.display_name)
  expect(text).toContain(`Transcript, ${call.transcript_total} turns`)
  expect((await here('call', 'nope')).stderr).toBe('Call not found: nope\n')
})

test('all pages come out as one table, as CSV, or as a line of JSON each', async () => {
  const all = ['calls', '--all', '--limit', '50']
  const [text, csv, json] = await Promise.all([here(...all), remote(...all, '--csv'), here(...all, '--json')])
  const pages = json.stdout
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
  const ids: readonly string[] = pages.flatMap(({ calls }) =>
    calls.map((call: { session_id: string }) => call.session_id),
  )
  expect([pages.length, new Set(ids).size]).toEqual([CALLS / 50, CALLS])
  const [head = '', ...rows] = csv.stdout.trimEnd().split('\r\n')
  expect(head).toMatch(/^session_id,agent_name,date,/)
  expect(rows.map(row => row.split(',')[0])).toEqual(ids)
  expect(text.stdout).toMatch(/^300 of 300 calls, /)
  expect(ids.every(id => text.stdout.includes(`\n${id} `))).toBe(true)
})

test('a table that is cut, or warned of, says so beside itself', async () => {
  const csv = async (...args: string[]) => {
    const { code, stdout, stderr } = await here(...args, '--csv')
    return { code, rows: stdout.trimEnd().split('\r\n').length - 1, stderr }
  }
  const calls = join(scratch, 'calls.json')
  writeFileSync(calls, '[{"$match":{"agent":{"$ne":"Ana"}}},{"$project":{"score":1}}]')
  const warning = 'pipeline[0].$match.agent: there is no field "agent" at this stage; did you mean "agent_name"?\n'
  const [first, all, pipeline, asked, page] = await Promise.all([
    csv('calls'),
    csv('calls', '--all'),
    csv('query', calls),
    csv('ask', 'query_interactions', `pipeline=[{"$project":{"score":1}}]`, 'limit=3'),
    csv('ask', 'get_signals', 'limit=2', 'active_only=false'),
  ])
  expect(first).toEqual({
    code: 0,
    rows: 10,
    stderr: `10 of ${CALLS} rows: --all prints every page\n`,
  })
  expect(all).toEqual({ code: 0, rows: CALLS, stderr: '' })
  const more = (limit: string, bytes: string) =>
    `ask for more with ${limit} (at most 1,000) or ${bytes} (at most 1,048,576)\n`
  expect(pipeline).toEqual({
    code: 0,
    rows: 100,
    stderr: `${warning}100 rows, and there are more: ${more('--limit', '--max-bytes')}`,
  })
  expect(asked.stderr).toBe(`3 rows, and there are more: ${more('limit=', 'max_bytes=')}`)
  expect(page.stderr).toMatch(/^2 of \d+ rows: the next page is cursor=\S+\n$/)
})

test('a pipeline may come by standard input', async () => {
  const asked = await runEarshot(['query', '-', '--json', '--data-dir', dataDir], { input: '[{"$count":"calls"}]' })
  expect({ ...asked, stdout: JSON.parse(asked.stdout) }).toMatchObject({
    code: 0,
    stdout: { documents: [{ calls: CALLS }] },
  })
})

test('a reader that has enough ends the command without a word', async () => {
  const child = spawn(process.execPath, [bin, 'calls', '--all', '--csv', '--limit', '1', '--data-dir', dataDir], {
    env: cleanEnvironment(),
  })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  child.stdout.once('data', () => child.stdout.destroy())
  const [code] = await once(child, 'close')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
})

describe('a question that is asked wrongly', () => {
  test.each([
    ['an unknown tool', ['ask', 'get_sigals'], '<tool> must be one of "get_project_context"'],
    ['an unknown tool, with what is meant', ['ask', 'get_sigals'], 'did you mean "get_signals"?'],
    [
      'an unknown argument',
      ['ask', 'get_signals', 'limt=2'],
      'Unknown argument "limt", did you mean "limit"? (accepted:',
    ],
    ['a value of the wrong kind', ['ask', 'get_signals', 'limit=x'], 'Argument "limit" must be a number, not "x"'],
    ['an argument without a value', ['ask', 'get_signals', 'limit'], '"limit" is no argument: write it "limit=value"'],
    ['an argument given twice', ['ask', 'get_signals', 'limit=1', 'limit=2'], '"limit" was given more than once'],
    ['two kinds of output', ['ask', 'get_signals', '--csv', '--json'], 'Give --json or --csv, not both'],
    ['a number that is none', ['calls', '--limit', 'x'], '--limit must be a number'],
    ['a number out of range', ['calls', '--limit', '900'], '--limit must be between 1 and 50, not 900'],
    ['a choice that is none', ['changes', '--categories', 'sgnals'], 'did you mean "signals"?'],
    ['one value too many', ['calls', '--limit', '1', '--limit', '2'], '--limit was given more than once'],
    ['a pipeline that is refused', ['ask', 'query_interactions', 'pipeline=[{"$out":"x"}]'], '$out'],
    ['a file that is not there', ['query', '/nope.json'], "/nope.json can't be read: there is no such file"],
    ['a key in the command line', ['calls', '--key', 'esk_secret'], 'EARSHOT_KEY'],
    ['a password in the address', ['calls', '--url', 'https://me:secret@x.example'], 'the key belongs in EARSHOT_KEY'],
    ['no key for elsewhere', ['calls', '--url', 'https://x.example'], 'in the environment variable EARSHOT_KEY'],
  ] as const)('%s', async (_, args, said) => {
    const outcome = await here(...args)
    expect({ code: outcome.code, stdout: outcome.stdout }).toEqual({ code: said === '$out' ? 1 : 2, stdout: '' })
    expect(outcome.stderr).toContain(said)
    expect(outcome.stderr).not.toMatch(/^\s+at |secret/m)
  })

  test('with a key that may not', async () => {
    const asking = (key: string, more: readonly string[] = []) =>
      runEarshot(['ask', 'query_user_activity', 'query_type=summary', '--url', service.api_url, ...more], {
        env: { EARSHOT_KEY: key },
      })
    expect((await asking('esk_wrong')).stderr).toContain(`${service.api_url} refuses the key in EARSHOT_KEY`)
    const mint = ['keys', 'mint', '--project', 'demo', '--name', 'n', '--role', 'none', '--json']
    const { key } = JSON.parse((await here(...mint)).stdout)
    expect((await asking(key)).stderr).toBe('Role Admin or SuperAdmin required\n')
    expect((await asking(key, ['--project', 'other'])).stderr).toBe('This credential does not act on that project\n')
  })

  test('where nobody answers', async () => {
    const url = await silentService(() => undefined)
    const outcome = await runEarshot(['summary', '--url', url, '--timeout', '0.2'], { env: { EARSHOT_KEY: 'k' } })
    expect(outcome).toMatchObject({ code: 1, stdout: '', stderr: `${url} has not answered within 0.2 s\n` })
  })
})

/** The address of a service that takes requests and never answers. */
async function silentService(onRequest: () => void): Promise<string> {
  const server = createServer(onRequest).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('Ctrl-C ends with 130', () => {
  /** What a shell says of how a program ended. */
  const ended = async (child: ChildProcess): Promise<number | null> => {
    const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
    return signal === 'SIGINT' ? 130 : code
  }

  test('while a service elsewhere does not answer', async () => {
    let heard: (() => void) | undefined
    const asked = new Promise<void>(resolve => (heard = resolve))
    const url = await silentService(() => heard?.())
    const child = spawn(process.execPath, [bin, 'ask', 'get_signals', '--url', url], {
      env: cleanEnvironment({ EARSHOT_KEY: 'k' }),
      stdio: 'ignore',
    })
    await asked
    child.kill('SIGINT')
    expect(await ended(child)).toBe(130)
  })

  test('during an import, and what was stored stays', async () => {
    const child = spawn(process.execPath, [bin, 'import', '-', '--project', 'demo', '--data-dir', dataDir], {
      env: cleanEnvironment(),
      stdio: ['pipe', 'ignore', 'pipe'],
    })
    let stderr = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    // Nobody reads the rest.
    child.stdin.on('error', () => undefined)
    // More than a batch, so that some are stored while more are to come: the input does not end.
    for (let i = 0; i < 4 * BATCH_CALLS; i += 1) {
      const call = { session_id: `i${i}`, agent_name: 'Ida Import', created_dt: '2026-01-02T03:04:05Z' }
      child.stdin.write(`${JSON.stringify(call)}\n`)
    }
    const stored = async () =>
      JSON.parse((await here('calls', '--agent-name', 'Ida Import', '--limit', '1', '--json')).stdout).total as number
    await expect.poll(stored, { interval: 500 }).toBeGreaterThan(0)
    child.kill('SIGINT')
    expect(await ended(child)).toBe(130)
    expect(stderr).toBe('The import was interrupted; the calls stored so far stay\n')
    expect(await stored()).toBeGreaterThan(0)
  })
})
