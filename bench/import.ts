/**
 * How fast `earshot import` is and what it takes:
 * `npm run bench:import -- [--calls 100000] [--transcripts 40000] [--store DIR] [--work DIR]`. Makes calls once, as NDJSON
 * and gzipped, and transcripts that are evaluated by rules as they come in, imports them with the real command into an
 * empty store, and with --store into a copy of the store in that directory; 0 leaves calls or transcripts out. Prints a
 * table; docs/benchmarks.md keeps what it said and on what machine.
 */
import { spawn, spawnSync } from 'node:child_process'
import {
  closeSync,
  createReadStream,
  createWriteStream,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
} from 'node:fs'
import { cp, mkdir, rm } from 'node:fs/promises'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { createGzip } from 'node:zlib'
import Table from 'cli-table3'
import { processorSeconds } from './service/processor-seconds.js'

const { values: options } = parseArgs({
  options: {
    calls: { type: 'string', default: '100000' },
    transcripts: { type: 'string', default: '40000' },
    store: { type: 'string' },
    work: { type: 'string', default: 'bench-data/import' },
  },
})

const bin = join(process.cwd(), 'bin', 'earshot.cjs')
const { work } = options

/** Milliseconds between looks at a running import. */
const LOOK_MS = 25

interface Measured {
  readonly seconds: number
  /** Of all threads. */
  readonly cpuSeconds: number
  readonly peakMiB: number
  /** Of `seconds`, those in which outcome lift was fitted and written. */
  readonly liftSeconds: number
}

const envOf = (dataDir: string) => ({ ...process.env, EARSHOT_DATA_DIR: dataDir })

function earshot(dataDir: string, ...args: readonly string[]): void {
  const { status, stderr } = spawnSync(process.execPath, [bin, ...args], { env: envOf(dataDir), encoding: 'utf8' })
  if (status !== 0) throw new Error(`earshot ${args.join(' ')} failed: ${stderr}`)
}

/** Calls, or transcripts without an evaluation, as a file, made when it is not there: the same seed gives the same bytes. */
function made(calls: number, unevaluated: boolean): string {
  const path = join(work, `${unevaluated ? 'transcripts' : 'calls'}-${calls}.ndjson`)
  if (existsSync(path)) return path
  const file = openSync(`${path}.part`, 'w')
  const args = ['generate', '--calls', String(calls), '--seed', '17', '--agents', '125', '--end', '2026-11-01']
  if (unevaluated) args.push('--unevaluated')
  const { status } = spawnSync(process.execPath, [bin, ...args], { stdio: ['ignore', file, 'ignore'] })
  closeSync(file)
  if (status !== 0) throw new Error('earshot generate failed')
  renameSync(`${path}.part`, path)
  return path
}

async function gzipped(plain: string): Promise<string> {
  const gzip = `${plain}.gz`
  if (!existsSync(gzip)) await pipeline(createReadStream(plain), createGzip(), createWriteStream(gzip))
  return gzip
}

/** Seconds that the store's audit trail says fitting lift took; 0 when there was no such thing. */
function liftSeconds(dataDir: string): number {
  const folder = join(dataDir, 'activity')
  const entries = readdirSync(folder)
    .flatMap(file => readFileSync(join(folder, file), 'utf8').trim().split('\n'))
    .map(line => JSON.parse(line) as { readonly page?: string; readonly duration_ms?: number })
  const fits = entries.filter(({ page }) => page?.endsWith('/lift') === true)
  return fits.reduce((sum, { duration_ms: ms = 0 }) => sum + ms / 1000, 0)
}

/** Processor time so far and most memory so far of a process; undefined when it has gone. */
function look(pid: number): { readonly cpuSeconds: number; readonly peakMiB: number } | undefined {
  try {
    const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    if (peak === undefined) return undefined
    return {
      cpuSeconds: processorSeconds(pid),
      peakMiB: Number(peak) / 1024,
    }
  } catch {
    return undefined
  }
}

/** Imports a file with the command, as an operator would, into a project of its own. */
async function importing(dataDir: string, project: string, file: string): Promise<Measured> {
  earshot(dataDir, 'project', 'create', project)
  const fitted = liftSeconds(dataDir)
  const started = performance.now()
  const child = spawn(process.execPath, [bin, 'import', file, '--project', project], {
    env: envOf(dataDir),
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  let seen = { cpuSeconds: 0, peakMiB: 0 }
  const watch = setInterval(() => (seen = look(child.pid!) ?? seen), LOOK_MS)
  const status = await new Promise<number | null>(resolve => child.once('exit', resolve))
  clearInterval(watch)
  if (status !== 0) throw new Error(`The import ended with ${status}`)
  const seconds = (performance.now() - started) / 1000
  return { seconds, ...seen, liftSeconds: liftSeconds(dataDir) - fitted }
}

interface Case {
  readonly name: string
  readonly file: string
  /** What the file holds, as NDJSON. */
  readonly calls: number
  readonly bytes: number
}

/** What is imported, one after the other. */
async function casesOf(calls: number, transcripts: number): Promise<readonly Case[]> {
  await mkdir(work, { recursive: true })
  const cases: Case[] = []
  if (calls > 0) {
    const file = made(calls, false)
    const bytes = statSync(file).size
    cases.push({ name: 'NDJSON', file, calls, bytes }, { name: 'gzip', file: await gzipped(file), calls, bytes })
  }
  if (transcripts > 0) {
    const file = made(transcripts, true)
    cases.push({ name: 'evaluated by rules', file, calls: transcripts, bytes: statSync(file).size })
  }
  return cases
}

const table = new Table({
  head: ['Import', 'calls', 'kB each', 'calls/s', 'MB/s', 'CPU s per 1,000 calls', 'peak MiB', 'of it lift, s'],
  style: { head: [], border: [] },
})
const load = loadavg()[0] ?? 0

for (const { name, file, calls, bytes } of await casesOf(Number(options.calls), Number(options.transcripts))) {
  const dataDir = join(work, 'store')
  const stores = [
    ['empty store', undefined],
    ...(options.store === undefined ? [] : [['filled store', options.store] as const]),
  ] as const
  for (const [where, from] of stores) {
    // oxlint-disable no-await-in-loop -- one after the other is what is measured
    await rm(dataDir, { recursive: true, force: true })
    if (from !== undefined) await cp(from, dataDir, { recursive: true })
    const { seconds, cpuSeconds, peakMiB, liftSeconds: lift } = await importing(dataDir, 'import-bench', file)
    table.push([
      `${name}, ${where}`,
      calls,
      (bytes / calls / 1000).toFixed(1),
      (calls / seconds).toFixed(0),
      (bytes / seconds / 1e6).toFixed(1),
      (cpuSeconds / (calls / 1000)).toFixed(3),
      peakMiB.toFixed(0),
      lift > 0 ? `${lift.toFixed(1)} of ${seconds.toFixed(1)}` : '',
    ])
    await rm(dataDir, { recursive: true })
    // oxlint-enable no-await-in-loop
  }
}

console.log(`${cpus().length} x ${cpus()[0]?.model}, Node ${process.version}`)
console.log(`load average at the start ${load.toFixed(1)}; MB are of NDJSON, whole process from start to end`)
console.log(table.toString())
