/**
 * How the REST API does on a store of many calls:
 * `npm run bench:rest -- --data-dir DIR [--calls 1000000] [--project p2] [--rounds 100] [--seconds 15]
 * [--clients 16] [--import 100000]`. DIR is filled with generated calls when it holds no store; it is copied beside itself, and
 * the copy removed in the end, so it stays as it was. No server may hold it. Measured are one
 * client alone, many at once, and readers while an import runs, with the processor time of the service beside the clock:
 * on a machine that does other things the former is what to compare. docs/benchmarks.md keeps what it said.
 */
import { spawn } from 'node:child_process'
import { constants, cpSync, createReadStream, createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import Table from 'cli-table3'
import { z } from 'zod'
import { fillStore } from './pipeline/fill-store.js'
import { type Client, connect } from './rest/client.js'
import { bin, earshot, environment } from './rest/command.js'
import { startService } from './rest/service.js'
import { Times } from './rest/times.js'

const { values: options } = parseArgs({
  options: {
    calls: { type: 'string', default: '1000000' },
    'data-dir': { type: 'string', default: 'bench-data' },
    project: { type: 'string', default: 'p2' },
    rounds: { type: 'string', default: '100' },
    seconds: { type: 'string', default: '15' },
    clients: { type: 'string', default: '16' },
    import: { type: 'string', default: '100000' },
  },
})

/** Readers while an import runs, and how long each rests between two requests, in milliseconds. */
const READERS = 4
const REST_MS = 50
/** Rounds before the clock counts: they fill caches, and V8 compiles. */
const WARM = 20

const source = resolve(options['data-dir'])
await fillStore(source, Number(options.calls))
const scratch = mkdtempSync(join(dirname(source), 'bench-rest-'))
const dataDir = join(scratch, 'data')
cpSync(source, dataDir, { recursive: true, mode: constants.COPYFILE_FICLONE })
const { key } = z
  .object({ key: z.string() })
  .parse(earshot(dataDir, 'keys', 'mint', '--project', options.project, '--name', 'bench'))
earshot(dataDir, 'project', 'create', 'imported')
const imported = z
  .object({ key: z.string() })
  .parse(earshot(dataDir, 'keys', 'mint', '--project', 'imported', '--name', 'bench'))
const service = await startService(dataDir)
try {
  const client = connect(service.url, key)
  const asked = await questions(client)
  console.log(
    `${cpus().length} x ${cpus()[0]?.model}, Node ${process.version}, load ${loadavg()
      .map(one => one.toFixed(1))
      .join(' ')}`,
  )
  await alone(client, asked)
  await together(asked)
  if (Number(options.import) > 0) await whileImporting(asked)
  console.log(`resident afterwards: ${await service.residentMiB()} MiB`)
} finally {
  await service.stop()
  rmSync(scratch, { recursive: true })
}

type Asked = readonly { readonly label: string; readonly weight: number; readonly path: (round: number) => string }[]

/** What is asked; the weight is how often of ten in the mix. */
async function questions(client: Client): Promise<Asked> {
  const page = z
    .object({ total: z.int(), interactions: z.array(z.object({ session_id: z.string(), agent_id: z.string() })) })
    .parse(await client.get('/api/v1/interactions?limit=500'))
  console.log(`${page.total} calls in the project asked about`)
  const one = (round: number) => page.interactions[(round * 7) % page.interactions.length]!
  const agent = (round: number) => encodeURIComponent(one(round).agent_id)
  const month = 'start_date=2026-10-01&end_date=2026-10-31'
  return [
    {
      label: 'one interaction',
      weight: 4,
      path: round => `/api/v1/interactions/${encodeURIComponent(one(round).session_id)}`,
    },
    {
      label: 'page: an agent’s month, from a score',
      weight: 3,
      path: round => `/api/v1/interactions?agent_id=${agent(round)}&${month}&min_score=2`,
    },
    { label: 'page: a month by score', weight: 1, path: () => `/api/v1/interactions?${month}&sort=score_asc` },
    { label: 'page: all calls, newest first', weight: 0, path: () => '/api/v1/interactions' },
    { label: 'distribution of a month', weight: 1, path: () => `/api/v1/scores/distribution?${month}` },
    { label: 'distribution of all calls', weight: 0, path: () => '/api/v1/scores/distribution' },
    {
      label: 'an agent’s performance',
      weight: 1,
      path: round => `/api/v1/agents/${agent(round)}/performance?${month}`,
    },
    { label: 'agents', weight: 0, path: () => '/api/v1/agents' },
  ]
}

async function alone(client: Client, asked: Asked): Promise<void> {
  const rounds = Number(options.rounds)
  const table = new Table({
    head: ['one client', 'p50 ms', 'p95 ms', 'max ms', 'CPU ms'],
    style: { head: [], border: [] },
  })
  for (const { label, path } of asked) {
    const times = new Times()
    for (let round = 0; round < WARM; round += 1) await client.get(path(round))
    const before = await service.cpuSeconds()
    for (let round = 0; round < rounds; round += 1) await times.of(() => client.get(path(round)))
    const cpu = ((await service.cpuSeconds()) - before) / rounds
    table.push([label, ...times.row, (cpu * 1000).toFixed(1)])
  }
  console.log(table.toString())
}

/** Asks the mix until told to stop. */
async function mix(client: Client, asked: Asked, times: Times, going: () => boolean, from: number, rest = 0) {
  const deck = asked.flatMap(one => Array.from({ length: one.weight }, () => one))
  for (let round = from; going(); round += 1) {
    await times.of(() => client.get(deck[round % deck.length]!.path(round)))
    if (rest > 0) await pause(rest)
  }
}

async function together(asked: Asked): Promise<void> {
  const times = new Times()
  const clients = Number(options.clients)
  const before = await service.cpuSeconds()
  const started = performance.now()
  const until = started + Number(options.seconds) * 1000
  await Promise.all(
    Array.from({ length: clients }, (_, i) =>
      mix(connect(service.url, key), asked, times, () => performance.now() < until, i * 3),
    ),
  )
  const seconds = (performance.now() - started) / 1000
  const cpu = ((await service.cpuSeconds()) - before) / times.count
  const [p50, p95, max] = times.row
  console.log(
    `${clients} clients, mixed: ${(times.count / seconds).toFixed(0)} requests/s; p50 ${p50} ms, p95 ${p95} ms, max ${max} ms; ${(cpu * 1000).toFixed(2)} ms of processor each`,
  )
}

async function whileImporting(asked: Asked): Promise<void> {
  const file = join(scratch, 'calls.ndjson')
  const generate = spawn(process.execPath, [bin, 'generate', '--calls', options.import, '--seed', '99'], {
    env: environment(dataDir),
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  await pipeline(generate.stdout, createWriteStream(file))
  const times = new Times()
  let going = true
  const readers = Array.from({ length: READERS }, (_, i) =>
    mix(connect(service.url, key), asked, times, () => going, i * 3, REST_MS),
  )
  const before = await service.cpuSeconds()
  const started = performance.now()
  const report = await connect(service.url, imported.key)
    .post('/api/v1/interactions', 'application/x-ndjson', createReadStream(file))
    .finally(() => (going = false))
  const seconds = (performance.now() - started) / 1000
  const cpu = (await service.cpuSeconds()) - before
  await Promise.all(readers)
  const { stored } = z.object({ stored: z.int() }).parse(report)
  const [p50, p95, max] = times.row
  console.log(
    `import of ${stored} calls (${(statSync(file).size / 1e6).toFixed(0)} MB) in ${seconds.toFixed(1)} s: ${(stored / seconds).toFixed(0)} calls/s, ${cpu.toFixed(1)} s of processor; meanwhile ${times.count} GETs, p50 ${p50} ms, p95 ${p95} ms, max ${max} ms`,
  )
}
