/**
 * What it costs to find calls by their ids, and to write some beside many, without the index of sessions and with it:
 * `npm run bench:lookup -- --data-dir DIR [--rounds 40]`. With `--from DIR2 --times N` the directory is made first, of one that holds some calls of
 * one project: N copies of them with other ids and days. No server may hold the directory. Prints milliseconds of processor and of the wall.
 */
import { statSync } from 'node:fs'
import { parseArgs } from 'node:util'
import Table from 'cli-table3'
import { narrow, parsePipeline } from '../src/pipeline/index.js'
import { scope } from '../src/pipeline/scope.js'
import { openDuckDbStore } from '../src/store/duckdb/open-duckdb-store.js'
import { BATCH_CALLS, type PreparedCall } from '../src/store/store.js'
import { AttachedStores, projectOf, repeatCalls, storeFile } from './service/made-store.js'
import { processorMs } from './service/processor-ms.js'

const { values: options } = parseArgs({
  options: {
    'data-dir': { type: 'string' },
    from: { type: 'string' },
    times: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '40' },
    memory: { type: 'string', default: '768MB' },
  },
})
const dataDir = options['data-dir']
if (dataDir === undefined) throw new Error('--data-dir is missing: the directory that is measured')
const rounds = Number(options.rounds)

if (options.from !== undefined) {
  // Nobody searches here.
  await repeatCalls(options.from, dataDir, Number(options.times), () => ({ search_text: `''` }))
}

const file = storeFile(dataDir)
await AttachedStores.with({ target: file }, stores => stores.empty(['session_runs', 'session_entries']))
const store = await openDuckDbStore({ dataDir, memoryLimit: options.memory, threads: 2 })
const { project, calls } = await projectOf(store)

/** Ids of calls and who took them, drawn all over the project. */
async function drawn(): Promise<readonly (readonly [string, string])[]> {
  const { documents } = await store.query(
    {
      sql: `select session_id, agent_name from calls where project_id = $1 and session_key % 1024 = 7 order by session_key limit ${rounds}`,
      params: [project],
      decode: columns => columns as never,
    },
    { lane: 'heavy', deadlineMs: 600_000, maxRows: rounds },
  )
  return documents as unknown as readonly (readonly [string, string])[]
}

async function lookUp(id: string, agents: 'all' | readonly string[]): Promise<number> {
  const pipeline = parsePipeline([{ $match: { session_id: id } }], { now: new Date() })
  const { documents } = await store.run(narrow(pipeline, scope(project, agents)), {
    lane: 'light',
    deadlineMs: 60_000,
    maxDocuments: 2,
  })
  return documents.length
}

let written = 0

/** New calls that have next to nothing in them. */
async function write(count: number): Promise<void> {
  const fresh = Array.from({ length: count }, (): PreparedCall => {
    const record = { session_id: `bench-${process.pid}-${(written += 1)}`, agent_id: 'b', agent_name: 'B' }
    return { ...record, json: JSON.stringify({ ...record, created_dt: new Date().toISOString(), score: 3 }) }
  })
  await store.calls.upsert(project, fresh)
}

/** Processor, median and 95th percentile, and the median of the wall; milliseconds. */
async function measured(times: number, work: (round: number) => Promise<void>): Promise<string> {
  const took: { processor: number; wall: number }[] = []
  for (let round = 0; round < times; round += 1) {
    const [processor, at] = [processorMs(), performance.now()]
    // oxlint-disable-next-line no-await-in-loop -- one after the other: they are measured
    await work(round)
    took.push({ processor: processorMs() - processor, wall: performance.now() - at })
  }
  const at = (which: 'processor' | 'wall', share: number) => {
    const sorted = took.map(one => one[which]).toSorted((a, b) => a - b)
    return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!.toFixed(1)
  }
  return `${at('processor', 0.5)}, ${at('processor', 0.95)} / ${at('wall', 0.5)}`
}

const ids = await drawn()
const expect = (found: number, wanted: number) => {
  if (found !== wanted) throw new Error(`${found} calls found, not ${wanted}`)
}
const at = (round: number) => ids[round % ids.length]!
const questions: readonly (readonly [string, number, (round: number) => Promise<void>])[] = [
  ['a call, with a key for everything', rounds, async n => expect(await lookUp(at(n)[0], 'all'), 1)],
  ['an id that no call has', rounds, async n => expect(await lookUp(`${at(n)[0]}x`, 'all'), 0)],
  ['a call, with a key for its agent', rounds, async n => expect(await lookUp(at(n)[0], [at(n)[1]]), 1)],
  ['a call of another agent', rounds, async n => expect(await lookUp(at(n)[0], ['Nobody']), 0)],
  ['an id that no call has, key for an agent', rounds, async n => expect(await lookUp(`${at(n)[0]}y`, ['Nobody']), 0)],
  ['3 new calls written', 10, () => write(3)],
  [`${BATCH_CALLS} new calls written`, 5, () => write(BATCH_CALLS)],
]
const rows = questions.map(([name]) => [name])
const ask = async () => {
  for (const [i, [, times, work]] of questions.entries()) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other: they are measured
    rows[i]!.push(await measured(times, work))
  }
}
const sizeMiB = () => Math.round(statSync(file).size / 1024 ** 2)
await ask()
const before = { size: sizeMiB(), processor: processorMs(), at: performance.now() }
// Whoever indexes waits in between, and keeps no process for it.
const stay = setInterval(() => undefined, 1_000)
const indexed = await store.sessions.indexSessions(project)
clearInterval(stay)
const took = processorMs() - before.processor
console.log(
  `${indexed} calls indexed: ${((took * 1_000) / indexed).toFixed(1)} µs of processor each, ${((performance.now() - before.at) / 1_000).toFixed(0)} s, ${before.size} MiB before and ${sizeMiB()} after`,
)
await ask()
console.log(`${calls} calls; milliseconds: processor p50, p95 / wall p50`)
const table = new Table({ head: ['', 'without the index', 'with it'], style: { head: [], border: [] } })
table.push(...rows)
console.log(table.toString())
await store.close()
