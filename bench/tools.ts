/**
 * How long the tools take over MCP, on a store of many calls: `npm run bench:tools -- [--calls 1000000] [--data-dir DIR]`.
 * Fills the directory once with generated calls in four projects, starts the real service and asks it over streamable
 * HTTP as a client would: once with a store that remembers nothing, so that each question is as if asked for the first
 * time, and once as it is by default. Prints a table in milliseconds; docs/benchmarks.md keeps what it said and on what machine.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import Table from 'cli-table3'
import { z } from 'zod'

const { values: options } = parseArgs({
  options: {
    calls: { type: 'string', default: '1000000' },
    'data-dir': { type: 'string', default: 'bench-data' },
    rounds: { type: 'string', default: '40' },
  },
})

const PROJECTS = ['p1', 'p2', 'p3', 'p4']
const AGENTS = 500
/** With the demo's own 28 they are more than 150. */
const EXTRA_SIGNALS = 125
/** Rounds before the clock counts: they fill caches, and V8 compiles. */
const WARM = 10
const DAY_MS = 86_400_000
const BY_AGENT = [
  { $group: { _id: '$agent_name', calls: { $sum: 1 }, average_score: { $avg: '$score' } } },
  { $sort: { calls: -1 } },
  { $limit: 20 },
]
const bin = join(process.cwd(), 'bin', 'earshot.cjs')
const dataDir = options['data-dir']
const rounds = Number(options.rounds)
const env = {
  ...process.env,
  EARSHOT_DATA_DIR: dataDir,
  EARSHOT_REQUESTS_PER_MINUTE: '1000000',
  EARSHOT_LOG_LEVEL: 'warn',
  MCP_SERVER_ENABLED: '1',
  MCP_PORT: '0',
  PORT: '0',
}

function earshot(...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], { env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`earshot ${args.join(' ')} failed: ${stderr}`)
  return stdout
}

/** Generated calls, straight from one process into the other. */
async function fill(project: string, calls: number, seed: number): Promise<void> {
  earshot('project', 'create', project)
  const generate = spawn(
    process.execPath,
    [bin, ...`generate --calls ${calls} --seed ${seed} --agents ${AGENTS} --extra-signals ${EXTRA_SIGNALS}`.split(' ')],
    { env, stdio: ['ignore', 'pipe', 'ignore'] },
  )
  const load = spawn(process.execPath, [bin, 'import', '-', '--project', project], {
    env,
    stdio: [generate.stdout, 'ignore', 'inherit'],
  })
  const code = await new Promise<number | null>(resolve => load.once('exit', resolve))
  if (code !== 0) throw new Error(`The import into ${project} ended with ${code}`)
}

interface Service {
  readonly url: string
  stop(): void
  /** Resolves when it has ended. */
  readonly ended: Promise<unknown>
  readonly pid: number
  readonly ms: number
}

async function startService(settings: Readonly<Record<string, string>>): Promise<Service> {
  const started = performance.now()
  const child = spawn(process.execPath, [bin, 'serve'], {
    env: { ...env, ...settings, EARSHOT_LOG_LEVEL: 'info', EARSHOT_LOG_FORMAT: 'json' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const url = await new Promise<string>((resolve, reject) => {
    let text = ''
    child.stderr.setEncoding('utf8')
    child.stderr.on('data', (piece: string) => {
      text += piece
      const found = /"mcp_url":"([^"]+)"/.exec(text)
      if (found !== null) resolve(found[1]!)
    })
    child.once('exit', () => reject(new Error(`The service ended: ${text}`)))
  })
  const ended = new Promise(resolve => child.once('exit', resolve))
  return { url, stop: () => child.kill('SIGTERM'), ended, pid: child.pid!, ms: performance.now() - started }
}

const answerSchema = z.object({
  result: z.object({
    isError: z.boolean().optional(),
    structuredContent: z.record(z.string(), z.unknown()).optional(),
  }),
})

/** A client with a session, as SDK clients have one. */
async function connect(url: string, key: string) {
  const headers: Record<string, string> = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  let id = 0
  const post = async (body: object) =>
    await fetch(`${url}/mcp`, { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', ...body }) })
  const opened = await post({
    id,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
  })
  headers['mcp-session-id'] = opened.headers.get('mcp-session-id') ?? ''
  headers['mcp-protocol-version'] = '2025-11-25'
  await opened.text()
  return async (name: string, args: object) => {
    id += 1
    const response = await post({ id, method: 'tools/call', params: { name, arguments: args } })
    const answer = answerSchema.parse(await response.json())
    if (answer.result.isError === true) throw new Error(`${name} failed: ${JSON.stringify(answer.result)}`)
    return answer.result.structuredContent ?? {}
  }
}

const percentile = (sorted: readonly number[], p: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * p))] ?? NaN

async function residentMiB(pid: number): Promise<number> {
  const { readFile } = await import('node:fs/promises')
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
}

const calls = Number(options.calls)
if (!existsSync(join(dataDir, 'earshot.duckdb'))) {
  for (const [i, project] of PROJECTS.entries()) {
    const started = performance.now()
    await fill(project, calls / PROJECTS.length, i + 1)
    const seconds = (performance.now() - started) / 1000
    console.error(`${project}: ${calls / PROJECTS.length} calls in ${seconds.toFixed(0)} s`)
  }
}
const minted = z
  .object({ key: z.string() })
  .parse(JSON.parse(earshot('keys', 'mint', '--project', 'p2', '--name', 'bench', '--json')))

/** Times of one question, sorted, milliseconds. */
type Times = readonly number[]

interface Measured {
  readonly times: ReadonlyMap<string, Times>
  readonly calls: number
  readonly startMs: number
  readonly residentMiB: number
}

/** @param remembers whether the store may give results again; else each question is as if asked for the first time */
async function measure(remembers: boolean): Promise<Measured> {
  const service = await startService(remembers ? {} : { EARSHOT_REMEMBERED_ANSWERS: '0' })
  try {
    const call = await connect(service.url, minted.key)
    const context = await call('get_project_context', {})
    const agents = z.array(z.object({ agent_name: z.string() })).parse(context['agents'])
    const listed = z
      .array(z.object({ session_id: z.string() }))
      .parse((await call('search_calls', { limit: 50 }))['calls'])
    const { last_call: last } = z.object({ last_call: z.string() }).parse(context['volume'])
    const times = new Map<string, Times>()
    const sessions = listed.map(({ session_id: id }) => id)
    for (const [label, tool, args] of questionsAbout({ agent: agents[0]!.agent_name, sessions, last })) {
      const took: number[] = []
      for (let round = 0; round < rounds + WARM; round += 1) {
        const started = performance.now()
        await call(tool, args(round))
        if (round >= WARM) took.push(performance.now() - started)
      }
      times.set(
        label,
        took.toSorted((a, b) => a - b),
      )
    }
    const volume = z.object({ calls: z.int() }).parse(context['volume'])
    return { times, calls: volume.calls, startMs: service.ms, residentMiB: await residentMiB(service.pid) }
  } finally {
    service.stop()
    await service.ended
  }
}

interface Subject {
  readonly agent: string
  readonly sessions: readonly string[]
  /** When the last call was. */
  readonly last: string
}

/** A label, a tool, and its arguments in each round. */
type Asked = readonly [string, string, (round: number) => object]

function questionsAbout({ agent, sessions, last }: Subject): readonly Asked[] {
  const session = (round: number) => sessions[round % sessions.length]!
  const day = (before: number) => new Date(Date.parse(last) - before * DAY_MS).toISOString().slice(0, 10)
  return [
    ['get_project_context', 'get_project_context', () => ({})],
    ['search_calls', 'search_calls', () => ({})],
    ['search_calls, one agent', 'search_calls', () => ({ agent_name: agent })],
    ['search_calls, one month', 'search_calls', () => ({ date_from: '2026-10-01', date_to: '2026-10-31' })],
    ['search_calls, by score', 'search_calls', () => ({ sort: 'score_asc', max_score: 3 })],
    ['search_calls, a signal', 'search_calls', () => ({ signal_key: 'sig.escalation' })],
    [
      'search_calls, text',
      'search_calls',
      round => ({ text: ['refund', 'password reset', 'late delivery'][round % 3] }),
    ],
    ['get_call_detail', 'get_call_detail', round => ({ session_id: session(round) })],
    ['compare_calls', 'compare_calls', round => ({ session_id_a: session(round), session_id_b: session(round + 1) })],
    ['get_project_summary, everything', 'get_project_summary', () => ({})],
    ['get_agent_performance', 'get_agent_performance', () => ({})],
    ['get_agent_performance, 30 days', 'get_agent_performance', () => ({ date_from: day(29), include_signals: true })],
    ['detect_changes, 30 days and 30 before', 'detect_changes', () => ({ period: `${day(29)} to ${day(0)}` })],
    ['query_interactions', 'query_interactions', () => ({ pipeline: BY_AGENT })],
    ['query_user_activity', 'query_user_activity', () => ({ query_type: 'summary' })],
    ['get_signals', 'get_signals', () => ({})],
    ['search_guidance', 'search_guidance', () => ({})],
  ]
}

const first = await measure(false)
const again = await measure(true)
const head = ['question', 'p50 ms', 'p95 ms', 'max ms', 'asked again, p50', 'p95 ms']
const table = new Table({ head, style: { head: [], border: [] } })
for (const [label, took] of first.times) {
  const repeated = again.times.get(label) ?? []
  const shown = [percentile(took, 0.5), percentile(took, 0.95), took.at(-1)!]
  const more = [percentile(repeated, 0.5), percentile(repeated, 0.95)]
  table.push([label, ...[...shown, ...more].map(ms => ms.toFixed(1))])
}
console.log(
  `${calls} calls, ${first.calls} of them in the project asked about; ${cpus().length} x ${cpus()[0]?.model}, Node ${process.version}`,
)
console.log(`start on the existing store ${again.startMs.toFixed(0)} ms, resident ${again.residentMiB} MiB afterwards`)
console.log(table.toString())
