/**
 * The same questions side by side: as pipelines, as SQL by hand on our own store's tables, to PostgreSQL, to SQLite, and to mingo over
 * documents in memory. Their answers are compared.
 * `npm run bench:beside -- [--calls 200000] [--times 1] [--data-dir bench-beside] [--postgres ADDRESS] [--mingo-calls 10000] [--rounds 3] [--only TEXT]`
 * Fills the directory once with generated calls of one project, and the other databases with what `earshot export` writes of it; with
 * `--times N` each with N copies of these calls, which are made in SQL there, under other ids and 120 days apart.
 * PostgreSQL is left out without an address (as psql takes it, of a server on this machine); SQLite where there is no sqlite3.
 * docs/benchmarks.md keeps what it said and on what machine.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, rmSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import Table from 'cli-table3'
import { z } from 'zod'
import { ONE_CALL, type OtherEngine, type Took } from './beside/other-engine.js'
import { postgres } from './beside/postgres.js'
import { sqlite } from './beside/sqlite.js'
import { analystQuestions } from './corpus/analyst-questions.js'
import { comparable } from './corpus/comparable.js'
import { elsewhere } from './corpus/elsewhere.js'
import { ask, askSql, openStore, PROJECT, rowsOf } from './pipeline/engine.js'
import { fillStore } from './pipeline/fill-store.js'
import { plainDocuments, withEvaluator, withMingo } from './pipeline/in-memory.js'
import { repeatCalls, storeFile } from './service/made-store.js'
import { bin } from './service/running-service.js'

const { values: options } = parseArgs({
  options: {
    calls: { type: 'string', default: '200000' },
    times: { type: 'string', default: '1' },
    'data-dir': { type: 'string', default: 'bench-beside' },
    postgres: { type: 'string' },
    'mingo-calls': { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
  },
})
const dataDir = options['data-dir']
const times = Number(options.times)
/** Holds what copies are made of. */
const origin = times > 1 ? `${dataDir}-once` : dataDir
const said = (text: string) => console.error(`${new Date().toISOString().slice(11, 19)} ${text}`)

/** A question to all of them. A pipeline without SQL elsewhere is asked here alone. */
interface Question {
  readonly question: string
  readonly pipeline: readonly object[]
  readonly sql: string
  readonly elsewhere: (engine: OtherEngine) => string | undefined
}

interface Asked {
  readonly name: string
  readonly took: Took | undefined
  readonly same: boolean | undefined
}

await fillStore(origin, Number(options.calls), [PROJECT])
if (!existsSync(storeFile(dataDir))) {
  said(`making ${times} copies of the calls`)
  await repeatCalls(origin, dataDir, times)
}
let exported: string | undefined
/** Before the store is opened here: it is one process's. */
async function exportCalls(): Promise<string> {
  const file = join(origin, 'calls.ndjson')
  if (existsSync(file)) return file
  said('exporting the calls')
  const env = { ...process.env, EARSHOT_DATA_DIR: origin, EARSHOT_LOG_LEVEL: 'warn' }
  const args = [bin, 'export', file, '--only', 'calls', '--project', PROJECT]
  const [status] = (await once(spawn(process.execPath, args, { env, stdio: 'inherit' }), 'exit')) as [number]
  if (status !== 0) throw new Error(`The export ended with ${status}`)
  return file
}
const held = { file: async () => (exported ??= await exportCalls()), times }

const engines: OtherEngine[] = []
if (options.postgres !== undefined) {
  said('filling PostgreSQL, if it is not')
  engines.push(await postgres(options.postgres, held))
}
if (spawnSync('sqlite3', ['--version']).status === 0) {
  said('filling SQLite, if it is not')
  engines.push(await sqlite(join(dataDir, 'beside.sqlite'), held))
}
if (exported !== undefined && existsSync(exported)) rmSync(exported)

const connection = await openStore(dataDir)
const [total] = (await ask(connection, [{ $count: 'n' }])).documents
const calls = Number(total?.['n'])
const inAll = await rowsOf(
  connection,
  'select session_id as id from calls where project_id = $1 order by session_key limit 1',
)
const { id } = z.object({ id: z.string() }).parse(inAll[0])
const questions: readonly Question[] = [
  ...elsewhere.map(({ question, postgres: inPostgres, sqlite: inSqlite }) => {
    const found = analystQuestions.find(one => one.question === question)
    if (found === undefined) throw new Error(`No question of the corpus is named ${question}`)
    return { ...found, elsewhere: ({ name }: OtherEngine) => (name === 'SQLite' ? inSqlite : inPostgres) }
  }),
  {
    question: 'One call by its id, with transcript and signals',
    pipeline: [{ $match: { session_id: id } }, { $project: Object.fromEntries(ONE_CALL.map(field => [field, 1])) }],
    sql: `select session_id as _id, ${ONE_CALL.join(', ')} from calls where project_id = $1 and session_key = md5_number_lower('${id}')
      and session_id = '${id}'`,
    elsewhere: (engine: OtherEngine) => engine.oneCall(id),
  },
].filter(({ question }) => question.includes(options.only))

const sampled = Math.min(Number(options['mingo-calls']), calls)
said(`taking ${sampled} documents into memory`)
const { documents: sample } =
  sampled === 0 ? { documents: [] } : await ask(connection, [{ $sort: { _id: 1 } }, { $limit: sampled }])
const plain = plainDocuments(sample)

/** What work takes in this process, in all its threads. */
async function measured(work: () => unknown): Promise<Took> {
  const [wall, processor] = [performance.now(), process.cpuUsage()]
  await work()
  const { user, system } = process.cpuUsage(processor)
  return { wall: performance.now() - wall, processor: (user + system) / 1000 }
}

/** The least of several rounds after one that fills caches. */
async function least(work: () => Promise<Took>, rounds = Number(options.rounds)): Promise<Took> {
  let [processor, wall] = [Infinity, Infinity]
  for (let round = -1; round < rounds; round += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other: they are measured
    const took = await work()
    if (round >= 0) [processor, wall] = [Math.min(processor, took.processor), Math.min(wall, took.wall)]
  }
  return { processor, wall }
}

const isSame = (a: readonly object[], b: readonly object[]) =>
  JSON.stringify(comparable(a)) === JSON.stringify(comparable(b))

async function askAll({ question, pipeline, sql, elsewhere: inAnother }: Question): Promise<readonly Asked[]> {
  const answer = plainDocuments((await ask(connection, pipeline)).documents)
  const asked: Asked[] = [
    { name: 'pipeline', took: await least(() => measured(() => ask(connection, pipeline))), same: undefined },
    {
      name: 'SQL',
      took: await least(() => measured(() => askSql(connection, sql))),
      same: isSame(answer, await rowsOf(connection, sql)),
    },
  ]
  // oxlint-disable no-await-in-loop -- one after the other: they are measured
  for (const engine of engines) {
    const statement = inAnother(engine)
    if (statement === undefined) {
      asked.push({ name: engine.name, took: undefined, same: undefined })
      continue
    }
    const { rows } = await engine.ask(statement)
    const took = await least(async () => (await engine.ask(statement)).took)
    asked.push({ name: engine.name, took, same: isSame(answer, rows) })
    said(`${question} ${engine.name} ${took.processor.toFixed(1)} ms`)
  }
  // oxlint-enable no-await-in-loop
  if (sampled > 0) {
    const run = withMingo(pipeline, plain)
    const same = isSame(plainDocuments(withEvaluator(pipeline, sample)()), run())
    const took = await least(() => measured(run), 1)
    const scale = calls / sampled
    asked.push({ name: 'mingo', took: { processor: took.processor * scale, wall: took.wall * scale }, same })
  }
  return asked
}

const names = ['pipeline', 'SQL', ...engines.map(({ name }) => name), ...(sampled > 0 ? ['mingo'] : [])]
const ms = (value: number) => (value < 10 ? value.toFixed(1) : value.toFixed(0))
const table = new Table({
  head: ['processor / wall ms', ...names],
  colAligns: ['left', ...names.map(() => 'right' as const)],
  style: { head: [], border: [] },
})
let others = 0
for (const [i, question] of questions.entries()) {
  said(`${i + 1} of ${questions.length}: ${question.question}`)
  // oxlint-disable-next-line no-await-in-loop -- one after the other: they are measured
  const asked = await askAll(question)
  table.push([
    question.question,
    ...asked.map(({ took, same }) =>
      took === undefined ? '' : `${ms(took.processor)} / ${ms(took.wall)}${same === false ? ' (another answer)' : ''}`,
    ),
  ])
  // mingo has differences of its own, which are marked.
  others += asked.filter(({ name, same }) => same === false && name !== 'mingo').length
}
connection.closeSync()
await Promise.all(engines.map(engine => engine.end()))
console.log(table.toString())
console.log(
  [
    `${calls} calls of one project; ${cpus().length} x ${cpus()[0]?.model}, Node ${process.version}`,
    `${others === 0 ? 'all answers are the same, but where mingo is marked' : `${others} answers are others than the pipeline's`}; mingo ran over ${sampled} calls, its times are scaled to all`,
  ].join('\n'),
)
if (others > 0) process.exitCode = 1
