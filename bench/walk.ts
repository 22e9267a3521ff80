import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { adminToken, command, startService } from './service/running-service.js'

/*
 * How many files of src/ somebody has to know who follows one request: those in which a function ran while the service answered it,
 * in any of its threads, by V8's own counters. The service has answered the same before, so that nothing is counted which is done
 * once. It runs what `tsc` made of the sources, a file for each, not the bundle.
 *
 *   npm run bench:walk -- [--files]
 */

const { values } = parseArgs({ options: { files: { type: 'boolean', default: false } } })

const own = `${pathToFileURL(join(process.cwd(), 'dist')).href}/`

/** How long a thread that was asked for its counters may take to write them, ms. */
const WRITING_MS = 3_000

const scratch = mkdtempSync(join(tmpdir(), 'earshot-walk-'))
const coverageDir = join(scratch, 'coverage')
const dataDir = join(scratch, 'data')
// In each thread: on SIGUSR2, which the main thread hands on, write what ran since the last time and count anew.
const preload = join(scratch, 'take-coverage.cjs')
mkdirSync(coverageDir)
writeFileSync(
  preload,
  `const { takeCoverage } = require('node:v8')
const { BroadcastChannel, isMainThread } = require('node:worker_threads')
const channel = new BroadcastChannel('take-coverage')
channel.unref()
channel.onmessage = () => takeCoverage()
if (isMainThread) process.on('SIGUSR2', () => { channel.postMessage(0); takeCoverage() })
`,
)

command(dataDir, ['project', 'create', 'walk'])
const service = await startService(
  dataDir,
  {
    NODE_V8_COVERAGE: coverageDir,
    NODE_OPTIONS: `--require=${preload}`,
    // A thread that waits for work without an event loop would not hear that it should write its counters.
    PISCINA_DISABLE_ATOMICS: '1',
    // The size of the pool is the bin's to set, which is not what runs here.
    UV_THREADPOOL_SIZE: '24',
  },
  join(process.cwd(), 'dist', 'main.js'),
)
try {
  const admin = { authorization: `Bearer ${await adminToken()}`, 'content-type': 'application/json' }
  const minted = await fetch(`${service.apiUrl}/projects/walk/mcp-keys`, {
    method: 'POST',
    headers: admin,
    body: JSON.stringify({ name: 'walk' }),
  })
  const { key } = (await minted.json()) as { readonly key: string }
  const authorization = `Bearer ${key}`
  const requests = {
    'a tool call (search_calls)': async () =>
      await fetch(`${service.mcpUrl}/mcp`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'search_calls', arguments: { limit: 5 } },
        }),
      }),
    'a posted transcript, evaluated and stored': async () =>
      await fetch(`${service.apiUrl}/api/v1/interactions`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/x-ndjson' },
        body: transcript(),
      }),
  }
  for (const [name, ask] of Object.entries(requests)) {
    /* oxlint-disable no-await-in-loop */
    for (let i = 0; i < 3; i += 1) await answered(await ask())
    await taken()
    await answered(await ask())
    const files = [...(await taken())].toSorted()
    /* oxlint-enable no-await-in-loop */
    console.log(`${name}: ${files.length} files`)
    if (values.files) console.log(files.map(file => `  ${file}`).join('\n'))
  }
} finally {
  await service.end('SIGTERM')
  rmSync(scratch, { recursive: true })
}

async function answered(answer: Response): Promise<void> {
  const text = await answer.text()
  if (!answer.ok || text.includes('"isError":true')) throw new Error(`${answer.status}: ${text.slice(0, 500)}`)
}

function transcript(): string {
  const session = `walk-${Math.random()}`
  const said = [
    ['agent', 'Thank you for calling, this is Ann, how can I help?'],
    ['customer', 'My invoice is wrong, I was charged twice.'],
    ['agent', 'I am sorry about that. I have refunded the second charge.'],
    ['customer', 'Great, thank you.'],
  ]
  const turns = said.map(([actor, text], i) => ({ turn: i, actor, text }))
  const call = { session_id: session, created_dt: '2026-03-01T10:00:00Z', transcript: turns }
  return JSON.stringify({ ...call, agent_id: 'ann', agent_name: 'Ann' })
}

/** Files in which something ran since the last time. */
async function taken(): Promise<ReadonlySet<string>> {
  const before = new Set(readdirSync(coverageDir))
  process.kill(service.pid, 'SIGUSR2')
  await setTimeout(WRITING_MS)
  const files = new Set<string>()
  for (const name of readdirSync(coverageDir)) {
    if (before.has(name)) continue
    const { result } = JSON.parse(readFileSync(join(coverageDir, name), 'utf8')) as {
      readonly result: readonly {
        readonly url: string
        readonly functions: readonly {
          readonly functionName: string
          readonly ranges: readonly { readonly count: number }[]
        }[]
      }[]
    }
    for (const { url, functions } of result) {
      const file = url.startsWith(own) && url.endsWith('.js') ? url.slice(own.length, -'.js'.length) : undefined
      // The first function of a file is the file itself, which runs when it is loaded.
      if (file !== undefined && functions.slice(1).some(({ ranges }) => ranges.some(({ count }) => count > 0)))
        files.add(`src/${file}.ts`)
    }
  }
  return files
}
