/**
 * Mixed load for a long time, to see whether memory and descriptors stay flat:
 * `npm run load -- --minutes 60 [--rate 5] [--calls 20000] [--data-dir DIR] [--report FILE]`.
 *
 * Starts the real service on a filled store and asks it over every way there is at a modest, constant rate: tools over
 * sessions and stand-alone requests of both revisions, event streams that come and go, REST reads, imports that replace
 * calls, keys that are minted and revoked, refused credentials, clients that leave before their answer. Samples resident
 * memory, descriptors and threads; docs/reliability.md keeps what was seen.
 */
import { readFile, readdir, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import Table from 'cli-table3'
import { z } from 'zod'
import { adminToken, command, startService } from './service/running-service.js'

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    rate: { type: 'string', default: '5' },
    calls: { type: 'string', default: '20000' },
    'data-dir': { type: 'string', default: 'bench-data/load' },
    report: { type: 'string' },
  },
})
const PROJECT = 'load'
const SAMPLE_MS = 15_000
const dataDir = options['data-dir']
const minutes = Number(options.minutes)
const calls = Number(options.calls)

if (!existsSync(join(dataDir, 'earshot.duckdb'))) {
  command(dataDir, ['project', 'create', PROJECT])
  command(dataDir, ['import', '-', '--project', PROJECT], generated(calls, 1))
}
const minted = z
  .object({ key: z.string() })
  .parse(JSON.parse(command(dataDir, ['keys', 'mint', '--project', PROJECT, '--name', 'load', '--json'])))
const replaced = generated(500, 1).trimEnd().split('\n')
const service = await startService(dataDir, { EARSHOT_LOG_LEVEL: 'info' })
const { apiUrl, mcpUrl, pid } = service
const bearer = { authorization: `Bearer ${minted.key}` }
const said = new Map<string, number>()
const samples: Sample[] = []

interface Sample {
  readonly minute: number
  readonly rssMiB: number
  readonly heapMiB: number
  readonly descriptors: number
  readonly threads: number
}

function generated(count: number, seed: number): string {
  return command(dataDir, ['generate', '--calls', String(count), '--seed', String(seed)])
}

async function sample(minute: number): Promise<Sample> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const number = (pattern: RegExp, text: string) => Number(pattern.exec(text)?.[1] ?? NaN)
  const metrics = await (await fetch(`${apiUrl}/metrics`)).text()
  return {
    minute: Math.round(minute * 100) / 100,
    rssMiB: Math.round(number(/VmRSS:\s+(\d+)/, status) / 1024),
    heapMiB: Math.round(number(/^nodejs_heap_size_used_bytes (\S+)/m, metrics) / 1024 ** 2),
    descriptors: (await readdir(`/proc/${pid}/fd`)).length,
    threads: number(/Threads:\s+(\d+)/, status),
  }
}

async function mcpClient(revision: '2025-11-25' | '2026-07-28'): Promise<Client> {
  const pinned = revision === '2026-07-28' ? { versionNegotiation: { mode: { pin: revision } } } : {}
  const client = new Client({ name: 'load', version: '1' }, pinned)
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', mcpUrl), { requestInit: { headers: bearer } }))
  return client
}

async function get(path: string, headers: Readonly<Record<string, string>> = bearer): Promise<string> {
  const response = await fetch(`${apiUrl}${path}`, { headers })
  await response.arrayBuffer()
  return String(response.status)
}

let older = await mcpClient('2025-11-25')
const newer = await mcpClient('2026-07-28')
const ids = z
  .object({ calls: z.array(z.object({ session_id: z.string() })) })
  .parse((await older.callTool({ name: 'search_calls', arguments: { limit: 50 } })).structuredContent)
  .calls.map(({ session_id }) => session_id)

const pick = <T>(from: readonly T[], turn: number): T => from[turn % from.length]!
const tool = async (client: Client, name: string, args: Record<string, unknown> = {}) =>
  (await client.callTool({ name, arguments: args })).isError === true ? 'refused' : 'ok'

/** What is done, in turn; each gives back how it ended. */
const mix: readonly (readonly [string, (turn: number) => Promise<string>])[] = [
  ['get_project_context', () => tool(older, 'get_project_context')],
  ['get_call_detail', turn => tool(newer, 'get_call_detail', { session_id: pick(ids, turn) })],
  ['search_calls', turn => tool(older, 'search_calls', { limit: 20, text: pick(['refund', 'card', 'late'], turn) })],
  ['search_calls, newer revision', () => tool(newer, 'search_calls', { sort: 'score_asc' })],
  ['get_project_summary', () => tool(older, 'get_project_summary')],
  ['get_agent_performance', () => tool(newer, 'get_agent_performance', { include_signals: true })],
  ['detect_changes', () => tool(older, 'detect_changes', { period: 'last 30 days' })],
  ['query_user_activity', () => tool(newer, 'query_user_activity', { query_type: 'summary' })],
  ['a tool that fails', () => tool(older, 'get_call_detail', { session_id: 'not there' })],
  ['GET interactions', () => get('/api/v1/interactions?limit=100')],
  ['GET interactions/:id', turn => get(`/api/v1/interactions/${pick(ids, turn)}`)],
  ['GET agents', () => get('/api/v1/agents')],
  ['a wrong key', () => get('/api/v1/agents', { authorization: 'Bearer esk_wrong' })],
  [
    'import',
    async turn => {
      const start = (turn * 50) % replaced.length
      const response = await fetch(`${apiUrl}/api/v1/interactions`, {
        method: 'POST',
        headers: { ...bearer, 'content-type': 'application/x-ndjson' },
        body: `${replaced.slice(start, start + 50).join('\n')}\n`,
      })
      await response.arrayBuffer()
      return String(response.status)
    },
  ],
  [
    'a key minted and revoked',
    async () => {
      const headers = { authorization: `Bearer ${await adminToken()}`, 'content-type': 'application/json' }
      const keys = `${apiUrl}/projects/${PROJECT}/mcp-keys`
      const made = await fetch(keys, { method: 'POST', headers, body: JSON.stringify({ name: 'short-lived' }) })
      const { key_id } = z.object({ key_id: z.string() }).parse(await made.json())
      const ended = await fetch(`${keys}/${key_id}`, { method: 'DELETE', headers })
      await ended.arrayBuffer()
      return String(ended.status)
    },
  ],
  [
    'an event stream opened and left',
    async () => {
      const leave = new AbortController()
      const response = await fetch(`${mcpUrl}/sse`, { headers: bearer, signal: leave.signal })
      await sleep(200)
      leave.abort()
      return String(response.status)
    },
  ],
  [
    'a client that leaves',
    async () => {
      await fetch(`${apiUrl}/api/v1/interactions?limit=500`, { headers: bearer, signal: AbortSignal.timeout(5) }).then(
        response => response.arrayBuffer(),
      )
      return 'answered in time'
    },
  ],
  [
    'a session ended and another opened',
    async () => {
      const before = older
      older = await mcpClient('2025-11-25')
      // What is being asked through it may end first.
      void sleep(3_000).then(() => before.close())
      return 'ok'
    },
  ],
]

/** The name of an error, and the code of what is behind it: "fetch failed" alone tells nothing. */
function howItFailed(error: unknown): string {
  if (!(error instanceof Error)) return 'failed'
  const { cause } = error as { readonly cause?: { readonly code?: string; readonly message?: string } }
  return [error.name, cause?.code, cause?.message].filter(Boolean).join(' ')
}

const started = performance.now()
const minute = () => (performance.now() - started) / 60_000
const running = new Set<Promise<void>>()
let nextSample = 0
for (let turn = 0; minute() < minutes; turn += 1) {
  if (performance.now() - started >= nextSample) {
    samples.push(await sample(minute()))
    nextSample += SAMPLE_MS
  }
  const [name, act] = pick(mix, turn)
  const round = Math.floor(turn / mix.length)
  const work: Promise<void> = act(round)
    .catch(howItFailed)
    .then(how => {
      const what = `${name}: ${how}`
      said.set(what, (said.get(what) ?? 0) + 1)
      running.delete(work)
    })
  running.add(work)
  await sleep(1000 / Number(options.rate))
}
await Promise.all(running)
await Promise.all([older.close(), newer.close()])
// What is left when every client has gone and a moment has passed.
await sleep(5_000)
const last = await sample(minute())
const code = await service.end('SIGTERM')

const table = new Table({
  head: ['minutes', 'resident MiB', 'JS heap MiB', 'descriptors', 'threads'],
  style: { head: [], border: [] },
})
const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN
const SECTIONS = 6
for (let section = 0; section < SECTIONS; section += 1) {
  const from = (section * minutes) / SECTIONS
  const until = ((section + 1) * minutes) / SECTIONS
  const within = samples.filter(one => one.minute >= from && one.minute < until)
  const of = (what: keyof Sample) => {
    const values = within.map(one => one[what])
    if (values.length === 0) return '-'
    return `${median(values)} (${Math.min(...values)}–${Math.max(...values)})`
  }
  table.push([`${from.toFixed(0)}–${until.toFixed(0)}`, of('rssMiB'), of('heapMiB'), of('descriptors'), of('threads')])
}
const done = [...said.values()].reduce((sum, count) => sum + count, 0)
console.log(`${done} acts in ${minutes} minutes over ${calls} calls; median (least–most) of each section`)
console.log(table.toString())
console.log(`5 s after the last client left: ${JSON.stringify(last)}; SIGTERM ended it with ${code}`)
console.log([...said].map(([what, count]) => `  ${what}: ${count}`).join('\n'))
if (options.report !== undefined) {
  await writeFile(options.report, `${JSON.stringify({ samples, last, said: Object.fromEntries(said), code })}\n`)
}
