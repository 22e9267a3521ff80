/**
 * What the transports cost and how lanes keep apart: `npm run bench:serve -- [--calls 200000] [--data-dir DIR]`.
 *
 * 1. An empty tool over /mcp with everything of ours around it, beside a bare echo server of the same SDK: 64 clients,
 *    in turns, so that both see the same machine. What counts is the ratio.
 * 2. A light tool alone, and while eight heavy questions of eight keys are asked.
 * 3. The start on an existing store.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { rawClient, type RawClient } from './serve/raw-client.js'
import { command, environment, startService } from './service/running-service.js'

const { values: options } = parseArgs({
  options: {
    calls: { type: 'string', default: '200000' },
    'data-dir': { type: 'string', default: 'bench-data/serve' },
    clients: { type: 'string', default: '64' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
  },
})
const clients = Number(options.clients)
const dataDir = options['data-dir']
const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN
const percentile = (values: readonly number[], p: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * p))] ?? NaN

/** A process of this benchmark; what its first line says. */
async function started(file: string, ...args: readonly string[]) {
  const script = join(import.meta.dirname, 'serve', file)
  const child = spawn(process.execPath, [script, ...args], {
    env: { ...environment(args[0] ?? '.'), UV_THREADPOOL_SIZE: '24' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').once('data', (text: string) => resolve(text.trim()))
    child.once('exit', code => reject(new Error(`${file} ended with ${code}`)))
  })
  const [url = '', key = 'none'] = line.split(' ')
  return { url, key, end: () => child.kill('SIGKILL') }
}

/** Calls a second of all clients together. */
async function throughput(asking: readonly RawClient[], seconds: number): Promise<number> {
  const until = performance.now() + seconds * 1000
  let calls = 0
  const begun = performance.now()
  await Promise.all(
    asking.map(async client => {
      for (; performance.now() < until; calls += 1) {
        // oxlint-disable-next-line no-await-in-loop -- a client waits for its answer
        await client.call('echo', { text: 'hello' })
      }
    }),
  )
  return (calls * 1000) / (performance.now() - begun)
}

async function compareWithBare(): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'earshot-bench-'))
  const [ours, bare] = await Promise.all([started('earshot-echo.js', scratch), started('bare-echo.js')])
  try {
    const connected = (of: { readonly url: string; readonly key: string }) =>
      Promise.all(Array.from({ length: clients }, () => rawClient(of.url, of.key)))
    const [oursAsking, bareAsking] = [await connected(ours), await connected(bare)]
    await throughput(oursAsking, 2)
    await throughput(bareAsking, 2)
    const ratios: number[] = []
    const rates: (readonly [number, number])[] = []
    for (let round = 0; round < Number(options.rounds); round += 1) {
      // oxlint-disable no-await-in-loop -- one after the other is what is measured
      const first = await throughput(round % 2 === 0 ? oursAsking : bareAsking, Number(options.seconds))
      const second = await throughput(round % 2 === 0 ? bareAsking : oursAsking, Number(options.seconds))
      // oxlint-enable no-await-in-loop
      const [our, their] = round % 2 === 0 ? [first, second] : [second, first]
      rates.push([our, their])
      ratios.push(our / their)
    }
    const shown = rates.map(([our, their]) => `${our.toFixed(0)}:${their.toFixed(0)}`).join(' ')
    console.log(`empty tool, ${clients} clients, calls/s ours:bare ${shown}; median ratio ${median(ratios).toFixed(2)}`)
  } finally {
    ours.end()
    bare.end()
    rmSync(scratch, { recursive: true, force: true })
  }
}

async function askBesideHeavy(): Promise<void> {
  const mint = (name: string) =>
    z
      .object({ key: z.string() })
      .parse(JSON.parse(command(dataDir, ['keys', 'mint', '--project', 'bench', '--name', name, '--json']))).key
  if (!existsSync(join(dataDir, 'earshot.duckdb'))) {
    command(dataDir, ['project', 'create', 'bench'])
    const generated = command(dataDir, ['generate', '--calls', options.calls, '--agents', '125'])
    command(dataDir, ['import', '-', '--project', 'bench'], generated)
  }
  const keys = Array.from({ length: 9 }, (_, n) => mint(`bench ${n}`))
  const starts: number[] = []
  for (let n = 0; n < 5; n += 1) {
    // oxlint-disable no-await-in-loop -- one start at a time
    const service = await startService(dataDir)
    starts.push(service.ms)
    await service.end('SIGTERM')
    // oxlint-enable no-await-in-loop
  }
  console.log(`start on ${options.calls} calls: median ${median(starts).toFixed(0)} ms of ${starts.length}`)
  const service = await startService(dataDir)
  try {
    const [light, ...heavy] = await Promise.all(keys.map(key => rawClient(service.mcpUrl, key)))
    if (light === undefined) throw new Error('no client')
    const alone = await times(light, 100)
    const ended = new AbortController()
    let asked = 0
    const asking = heavy.map(async client => {
      for (; !ended.signal.aborted; asked += 1) {
        // oxlint-disable-next-line no-await-in-loop -- each client asks again when it was answered
        await client.call('query_interactions', { pipeline: HEAVY }).catch(() => undefined)
      }
    })
    const beside = await times(light, 200)
    ended.abort()
    await Promise.all(asking)
    const shown = (values: readonly number[]) =>
      `p50 ${percentile(values, 0.5).toFixed(1)} ms, p95 ${percentile(values, 0.95).toFixed(1)} ms`
    console.log(
      `search_calls alone: ${shown(alone)}; beside eight heavy questions: ${shown(beside)} (${asked} answered)`,
    )
  } finally {
    await service.end('SIGTERM')
  }
}

/** Takes every transcript apart and sorts what comes of it: seconds of work. */
const HEAVY = [
  { $unwind: '$transcript' },
  { $group: { _id: { agent: '$agent_name', text: '$transcript.text' }, turns: { $sum: 1 } } },
  { $sort: { turns: -1 } },
  { $limit: 20 },
]

async function times(client: RawClient, rounds: number): Promise<readonly number[]> {
  const took: number[] = []
  // oxlint-disable-next-line no-await-in-loop -- one after the other
  for (let round = 0; round < rounds; round += 1) took.push(await client.call('search_calls', { limit: 10 }))
  return took
}

console.log(`${cpus().length} x ${cpus()[0]?.model}, Node ${process.version}`)
await compareWithBare()
await askBesideHeavy()
