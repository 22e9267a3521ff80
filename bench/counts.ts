/**
 * What the answers that add calls up cost with counts of days and without: `npm run bench:counts -- --data-dir DIR [--calls N] [--rounds 5]`.
 * The directory is one that `npm run bench:tools` filled; calls of its largest project are copied, with other ids and ever earlier
 * days, until there are N. Starts the real service over them twice, once without counts and once when its days are counted.
 * Prints medians in milliseconds, of the clock and of the processor, with nothing remembered.
 */
import { DuckDBInstance } from '@duckdb/node-api'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import Table from 'cli-table3'
import { z } from 'zod'
import { command, type RunningService, startService } from './service/running-service.js'

const { values: options } = parseArgs({
  options: { 'data-dir': { type: 'string' }, calls: { type: 'string' }, rounds: { type: 'string', default: '5' } },
})
const dataDir = options['data-dir']
if (dataDir === undefined) throw new Error('--data-dir is missing: a directory that bench:tools filled')
const file = join(dataDir, 'earshot.duckdb')
const sizeMiB = () => Math.round(statSync(file).size / 1024 ** 2)

/** Makes calls of the largest project until it has as many; says which it is and when its last call was. */
async function grow(calls: number) {
  const instance = await DuckDBInstance.create(file)
  const connection = await instance.connect()
  try {
    const read = async (sql: string) => (await connection.runAndReadAll(sql)).getRowsJS()
    const [largest] = await read(
      `select project_id, count(*), max(created_dt), date_diff('day', min(created_dt), max(created_dt)) + 1
       from calls group by project_id order by 2 desc limit 1`,
    )
    const [project, count, last, days] = z.tuple([z.string(), z.bigint(), z.date(), z.bigint()]).parse(largest)
    const columns = await read(
      "select column_name from duckdb_columns() where table_name = 'calls' order by column_index",
    )
    const names = z
      .array(z.tuple([z.string()]))
      .parse(columns)
      .map(([name]) => `"${name}"`)
    const changed = (copy: number) => (name: string) => {
      if (name === '"session_id"') return `session_id || '-${copy}'`
      return name === '"created_dt"' ? `created_dt - interval (${Number(days) * copy}) day` : name
    }
    const lastDays = `created_dt > (select max(created_dt) from calls) - interval (${days}) day`
    const own = Number(
      (await read(`select count(*) from calls where project_id = '${project}' and ${lastDays}`))[0]?.[0],
    )
    for (let copy = Math.round(Number(count) / own); copy * own < calls; copy += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await connection.run(
        `insert into calls select ${names.map(changed(copy)).join(', ')} from calls where project_id = '${project}' limit ${own}`,
      )
    }
    await connection.run('delete from counted_days')
    await connection.run('checkpoint')
    return { project, last }
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

const DAY_MS = 86_400_000

function questions(last: Date): readonly (readonly [string, string])[] {
  const day = (before: number) => new Date(last.getTime() - before * DAY_MS).toISOString().slice(0, 10)
  return [
    ['get_project_context', '/api/v1/context'],
    ['get_project_summary, everything', '/api/v1/summary'],
    ['get_project_summary, 30 days', `/api/v1/summary?date_from=${day(29)}`],
    ['get_agent_performance, everything', '/api/v1/agents/performance'],
    ['get_agent_performance, 30 days', `/api/v1/agents/performance?date_from=${day(29)}`],
    ['get_score_distribution', '/api/v1/scores/distribution'],
    ['detect_changes, 30 days and 30 before', `/api/v1/changes?period=${day(29)}%20to%20${day(0)}`],
  ]
}

/** Milliseconds of processor that a process took. */
function processorMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

async function measure(service: RunningService, key: string, path: string): Promise<string> {
  const took: [number, number][] = []
  for (let round = -1; round < Number(options.rounds); round += 1) {
    const [began, processor] = [performance.now(), processorMs(service.pid)]
    // oxlint-disable-next-line no-await-in-loop -- one after the other: they are measured
    const answer = await fetch(`${service.apiUrl}${path}`, { headers: { authorization: `Bearer ${key}` } })
    // oxlint-disable-next-line no-await-in-loop -- likewise
    const text = await answer.text()
    if (text.includes('"deadline_exceeded"')) return 'beyond its deadline'
    if (!answer.ok) throw new Error(`${path}: ${text}`)
    if (round >= 0) took.push([performance.now() - began, processorMs(service.pid) - processor])
  }
  const middle = (at: 0 | 1) => took.map(one => one[at]).toSorted((a, b) => a - b)[Math.floor(took.length / 2)] ?? 0
  return `${middle(0).toFixed(0)} / ${middle(1).toFixed(0)}`
}

/** Resolves when the service has counted the days; how long that took, in seconds. */
async function counted(service: RunningService): Promise<number> {
  const began = performance.now()
  // oxlint-disable-next-line no-await-in-loop -- waiting
  while (!service.log().includes('days were counted')) await pause(200)
  return (performance.now() - began) / 1000
}

const SETTINGS = { EARSHOT_REMEMBERED_ANSWERS: '0', EARSHOT_LOG_LEVEL: 'debug' }

// A start brings the store to the newest version.
command(dataDir, ['keys', 'list', '--project', 'p2', '--json'])
const { project, last } = await grow(Number(options.calls ?? 0))
const key = z
  .object({ key: z.string() })
  .parse(JSON.parse(command(dataDir, ['keys', 'mint', '--project', project, '--name', 'bench', '--json']))).key
const bare = sizeMiB()
const table = new Table({ head: ['question', 'by calls, ms', 'by counts, ms'], style: { head: [], border: [] } })
const rows = new Map<string, string[]>()
for (const counts of ['0', '1']) {
  // oxlint-disable-next-line no-await-in-loop -- one after the other
  const service = await startService(dataDir, { ...SETTINGS, EARSHOT_COUNT_DAYS: counts })
  try {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    if (counts === '1') console.log(`days counted in ${(await counted(service)).toFixed(1)} s`)
    for (const [name, path] of questions(last)) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      rows.set(name, [...(rows.get(name) ?? []), await measure(service, key, path)])
    }
  } finally {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await service.end('SIGTERM')
  }
}
for (const [name, found] of rows) table.push([name, ...found])
console.log(
  `${options.calls ?? 'all'} calls of ${project}; the store has ${bare} MiB, ${sizeMiB()} with counts; clock / processor`,
)
console.log(table.toString())
