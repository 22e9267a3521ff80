/**
 * How fast `earshot import` is and what it takes: `npm run bench:import -- [--calls 100000] [--store DIR] [--work DIR]`.
 * Makes calls once, as NDJSON and gzipped, imports them with the real command into an empty store, and with --store into
 * a copy of the store in that directory. Prints a table; docs/benchmarks.md keeps what it said and on what machine.
 */
import { spawn, spawnSync } from 'node:child_process'
import { closeSync, createReadStream, createWriteStream, existsSync, openSync, readFileSync, statSync } from 'node:fs'
import { cp, mkdir, rm } from 'node:fs/promises'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { createGzip } from 'node:zlib'
import Table from 'cli-table3'

const { values: options } = parseArgs({
  options: {
    calls: { type: 'string', default: '100000' },
    store: { type: 'string' },
    work: { type: 'string', default: 'bench-data/import' },
  },
})

const bin = join(process.cwd(), 'bin', 'earshot.cjs')
const calls = Number(options.calls)
const { work } = options

/** Milliseconds between looks at a running import. */
const LOOK_MS = 25
/** What /proc/PID/stat counts processor time in. */
const TICKS_PER_SECOND = 100

interface Measured {
  readonly seconds: number
  /** Of all threads. */
  readonly cpuSeconds: number
  readonly peakMiB: number
}

const envOf = (dataDir: string) => ({ ...process.env, EARSHOT_DATA_DIR: dataDir })

function earshot(dataDir: string, ...args: readonly string[]): void {
  const { status, stderr } = spawnSync(process.execPath, [bin, ...args], { env: envOf(dataDir), encoding: 'utf8' })
  if (status !== 0) throw new Error(`earshot ${args.join(' ')} failed: ${stderr}`)
}

/** The calls as a file, made when it is not there: the same seed gives the same bytes. */
async function madeCalls(): Promise<{ readonly plain: string; readonly gzip: string }> {
  const plain = join(work, `calls-${calls}.ndjson`)
  const gzip = `${plain}.gz`
  await mkdir(work, { recursive: true })
  if (!existsSync(gzip)) {
    const file = openSync(plain, 'w')
    const args = ['generate', '--calls', String(calls), '--seed', '17', '--agents', '125', '--end', '2026-11-01']
    const { status } = spawnSync(process.execPath, [bin, ...args], { stdio: ['ignore', file, 'ignore'] })
    closeSync(file)
    if (status !== 0) throw new Error('earshot generate failed')
    await pipeline(createReadStream(plain), createGzip(), createWriteStream(gzip))
  }
  return { plain, gzip }
}

/** Processor time so far and most memory so far of a process; undefined when it has gone. */
function look(pid: number): { readonly cpuSeconds: number; readonly peakMiB: number } | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    if (peak === undefined) return undefined
    return {
      cpuSeconds: (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND,
      peakMiB: Number(peak) / 1024,
    }
  } catch {
    return undefined
  }
}

/** Imports a file with the command, as an operator would, into a project of its own. */
async function importing(dataDir: string, project: string, file: string): Promise<Measured> {
  earshot(dataDir, 'project', 'create', project)
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
  return { seconds: (performance.now() - started) / 1000, ...seen }
}

const { plain, gzip } = await madeCalls()
const bytes = statSync(plain).size
const table = new Table({
  head: ['Import', 'calls/s', 'MB/s', 'CPU s per 1,000 calls', 'peak MiB'],
  style: { head: [], border: [] },
})
const cases = [
  ['NDJSON', plain],
  ['gzip', gzip],
] as const
const load = loadavg()[0] ?? 0

for (const [name, file] of cases) {
  const dataDir = join(work, 'store')
  const stores = [
    ['empty store', undefined],
    ...(options.store === undefined ? [] : [['filled store', options.store] as const]),
  ] as const
  for (const [where, from] of stores) {
    // oxlint-disable no-await-in-loop -- one after the other is what is measured
    await rm(dataDir, { recursive: true, force: true })
    if (from !== undefined) await cp(from, dataDir, { recursive: true })
    const { seconds, cpuSeconds, peakMiB } = await importing(dataDir, 'import-bench', file)
    table.push([
      `${name}, ${where}`,
      (calls / seconds).toFixed(0),
      (bytes / seconds / 1e6).toFixed(1),
      (cpuSeconds / (calls / 1000)).toFixed(3),
      peakMiB.toFixed(0),
    ])
    await rm(dataDir, { recursive: true })
    // oxlint-enable no-await-in-loop
  }
}

const size = (bytes / calls / 1000).toFixed(1)
console.log(`${calls} calls of ${size} kB; ${cpus().length} x ${cpus()[0]?.model}, Node ${process.version}`)
console.log(`load average at the start ${load.toFixed(1)}; MB are of NDJSON, whole process from start to end`)
console.log(table.toString())
