/**
 * Two ways of bringing checked calls into the engine: staged in memory and made columns of by `json_transform`, 512 at a time, as
 * the store does, and spooled to a file that one statement reads with `read_json` and the types of every field:
 * `npm run bench:read-json -- [--calls 16384] [--commit 2048] [--row-group 2048] [--memory 512MiB] [--give-back 64MB] [--rounds 4]`.
 * Processor time of all threads, the two ways in turns; fails unless both store the same. `--only WAY` runs one, for its peak memory.
 */
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { callFields } from '../src/calls/call-fields.js'
import { generateCalls } from '../src/demo/generate-calls.js'
import { callColumnList, callColumns, insertCalls } from '../src/store/duckdb/call-columns.js'
import { quoted } from '../src/store/duckdb/column-type.js'
import { type JsonStructure, jsonStructure } from '../src/store/duckdb/writing/json-structure.js'
import { overStaged } from '../src/store/duckdb/writing/stage-calls.js'
import type { PreparedCall } from '../src/store/store.js'

const { values: options } = parseArgs({
  options: {
    calls: { type: 'string', default: '16384' },
    commit: { type: 'string', default: '2048' },
    'row-group': { type: 'string', default: '2048' },
    memory: { type: 'string', default: '512MiB' },
    'give-back': { type: 'string', default: '64MB' },
    rounds: { type: 'string', default: '4' },
    only: { type: 'string' },
  },
})

/** Calls staged at a time, as in DuckDbCalls. */
const SLICE_CALLS = 512
const [CALLS, COMMIT] = [Number(options.calls), Number(options.commit)]

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`

function sqlType(structure: JsonStructure): string {
  if (typeof structure === 'string') return structure
  if (isList(structure)) return `${sqlType(structure[0])}[]`
  return `STRUCT(${Object.entries(structure)
    .map(([name, field]) => `${quoted(name)} ${sqlType(field)}`)
    .join(', ')})`
}

const isList = (structure: JsonStructure): structure is readonly [JsonStructure] => Array.isArray(structure)

/** What was checked beside the record stands before it in its line, under names that no field has. */
const BESIDE = ['@session_id', '@agent_id', '@agent_name'] as const

function insertRead(file: string, longest: number): string {
  const columns = [
    ...BESIDE.map(name => `${literal(name)}: 'VARCHAR'`),
    ...callFields.map(({ name, type }) => `${literal(name)}: ${literal(sqlType(jsonStructure(type)))}`),
  ]
  const from = `read_json(${literal(file)}, format = 'newline_delimited', maximum_object_size = ${longest},
    columns = {${columns.join(', ')}})`
  const beside = BESIDE.map(name => `${quoted(name)} as ${name.slice(1)}`)
  // `insertCalls` names the staged columns bare and the record's as those of r.
  return `insert into calls (${callColumns.map(({ name }) => quoted(name)).join(', ')})
    select ${callColumns.map(({ from: sql }) => sql.replace(/\b(session_id)\b|"(session_id|agent_id|agent_name)"/, (_, a, b) => `s.${String(a ?? b)}`)).join(', ')}
    from (select ${beside.join(', ')}, r from ${from} as r) as s`
}

type Insert = (
  connection: DuckDBConnection,
  calls: readonly PreparedCall[],
  number: number,
  file: string,
) => Promise<void>

const WAYS: Readonly<Record<string, Insert>> = {
  json_transform: async (connection, calls, number) => {
    const slices = Array.from({ length: Math.ceil(calls.length / SLICE_CALLS) }, (_, at) =>
      calls.slice(at * SLICE_CALLS, (at + 1) * SLICE_CALLS),
    )
    await overStaged(connection, slices, { statement: insertCalls, values: ['p', number] })
  },
  read_json: async (connection, calls, number, file) => {
    const spool = openSync(file, 'w', 0o600)
    let longest = 0
    for (const { session_id, agent_id, agent_name, json } of calls) {
      const beside = JSON.stringify({ '@session_id': session_id, '@agent_id': agent_id, '@agent_name': agent_name })
      const line = Buffer.concat([
        Buffer.from(`${beside.slice(0, -1)},`),
        (json as Buffer).subarray(1),
        Buffer.from('\n'),
      ])
      longest = Math.max(longest, line.length)
      writeSync(spool, line)
    }
    closeSync(spool)
    await connection.run(insertRead(file, longest), ['p', number])
  },
}

/** Fills a new store. @returns microseconds of processor a call, and what tells whether two stores hold the same */
async function fill(
  insert: Insert,
  calls: readonly PreparedCall[],
): Promise<{ readonly us: number; readonly found: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-read-json-'))
  const instance = await DuckDBInstance.create(':memory:', {
    memory_limit: options.memory,
    threads: '1',
    temp_directory: join(folder, 'tmp'),
    allocator_bulk_deallocation_flush_threshold: options['give-back'],
  })
  try {
    const connection = await instance.connect()
    await connection.run(
      `attach ${literal(join(folder, 'calls.duckdb'))} as store (storage_version 'v1.5.0', row_group_size ${Number(options['row-group'])})`,
    )
    const spool = join(folder, 'spool.ndjson')
    await connection.run(`set global allowed_paths = [${literal(spool)}]`)
    await connection.run('set global enable_external_access = false')
    await connection.run(`set global TimeZone = 'UTC'`)
    await connection.run('set global lock_configuration = true')
    await connection.run('use store')
    await connection.run(`create table calls (${callColumnList})`)
    const before = process.cpuUsage()
    for (let from = 0; from < calls.length; from += COMMIT) {
      // oxlint-disable no-await-in-loop -- one transaction after the other
      await connection.run('begin')
      await insert(connection, calls.slice(from, from + COMMIT), from, spool)
      await connection.run('commit')
      // oxlint-enable no-await-in-loop
    }
    const { user, system } = process.cpuUsage(before)
    const rows = await connection.runAndReadAll(
      'select count(*)::INTEGER, bit_xor(md5_number_lower(calls::VARCHAR))::VARCHAR from calls',
    )
    connection.closeSync()
    return { us: (user + system) / calls.length, found: JSON.stringify(rows.getRowsJS()) }
  } finally {
    instance.closeSync()
    rmSync(folder, { recursive: true })
  }
}

const calls = [...generateCalls({ calls: CALLS, seed: 17, end: new Date('2026-11-01T00:00:00Z') }).lines].map(line => {
  const { session_id, agent_name } = JSON.parse(line) as { readonly session_id: string; readonly agent_name: string }
  return { session_id, agent_id: 'agent', agent_name, json: Buffer.from(line.trim()) }
})
const found = new Set<string>()
const took = new Map<string, number[]>()
for (let round = 0; round < Number(options.rounds); round += 1) {
  for (const [name, insert] of Object.entries(WAYS)) {
    if (options.only !== undefined && options.only !== name) continue
    // oxlint-disable-next-line no-await-in-loop -- in turns is what is measured
    const one = await fill(insert, calls)
    found.add(one.found)
    took.set(name, [...(took.get(name) ?? []), one.us])
  }
}
for (const [name, times] of took)
  console.log(`${name}: ${times.map(us => us.toFixed(0)).join(', ')} µs of processor a call`)
const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
console.log(
  `${options.commit} a commit, the engine with ${options.memory}; at the peak ${(Number(peak) / 1024).toFixed(0)} MiB`,
)
if (found.size > 1) throw new Error(`The two ways store different calls: ${[...found].join(' ')}`)
