/**
 * How long the analysts' questions (bench/corpus) take: as pipelines, beside hand-written SQL on the same store in the
 * same run, and beside mingo over the same documents in memory:
 * `npm run bench:pipeline -- [--calls 1000000] [--data-dir DIR] [--mingo-calls 25000] [--rounds 7] [--clock cpu] [--only TEXT]`.
 * Fills the directory once with generated calls in four projects, a quarter of them in the one asked about.
 * docs/benchmarks.md keeps what it said and on what machine.
 */
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import Table from 'cli-table3'
import { analystQuestions } from './corpus/analyst-questions.js'
import { comparable } from './corpus/comparable.js'
import { ask, askSql, openStore, rowsOf } from './pipeline/engine.js'
import { fillStore } from './pipeline/fill-store.js'
import { plainDocuments, withEvaluator, withMingo } from './pipeline/in-memory.js'
import { timed } from './pipeline/timed.js'

const { values: options } = parseArgs({
  options: {
    calls: { type: 'string', default: '1000000' },
    'data-dir': { type: 'string', default: 'bench-data' },
    'mingo-calls': { type: 'string', default: '25000' },
    rounds: { type: 'string', default: '7' },
    clock: { type: 'string', default: 'wall' },
    only: { type: 'string', default: '' },
  },
})

/** Processor time tells more than the wall's clock where other work runs on the machine. */
const clock = options.clock === 'cpu' ? 'cpu' : 'wall'

/** Rounds in memory: they take long and vary little. */
const ROUNDS_IN_MEMORY = 2

interface Row {
  readonly question: string
  readonly whole: boolean
  readonly documents: number
  readonly engine: number
  readonly sql: number
  readonly same: boolean
}

const geometric = (values: readonly number[]) =>
  Math.exp(values.reduce((sum, x) => sum + Math.log(x), 0) / values.length)
const ms = (value: number | undefined) => (value === undefined ? '' : value < 10 ? value.toFixed(1) : value.toFixed(0))

await fillStore(options['data-dir'], Number(options.calls))
const connection = await openStore(options['data-dir'])
const questions = analystQuestions.filter(({ question }) => question.includes(options.only))
const [total] = (await ask(connection, [{ $count: 'n' }])).documents
const calls = Number(total?.['n'])

const rows: Row[] = []
for (const { question, pipeline, sql, unsteady } of questions) {
  const { documents, engineStages } = await ask(connection, pipeline)
  const answer = await rowsOf(connection, sql)
  const same = unsteady === true || isSame(plainDocuments(documents), answer)
  const [engine, hand] = await timed(
    [() => ask(connection, pipeline), () => askSql(connection, sql)],
    Number(options.rounds),
    clock,
  )
  const whole = engineStages === pipeline.length
  rows.push({ question, whole, documents: documents.length, engine: engine!, sql: hand!, same })
  console.error(`${question} ${ms(engine)} ms, SQL ${ms(hand)} ms${same ? '' : ', another answer'}`)
}

/** Sums of doubles differ in the last digits: answers are the same when nearly all their texts are. */
function isSame(documents: readonly object[], answer: readonly object[]): boolean {
  const [a, b] = [comparable(documents), comparable(answer)]
  return a.length === b.length && a.every((text, i) => text === b[i])
}

const sampled = Math.min(Number(options['mingo-calls']), calls)
const { documents: sample } =
  sampled === 0 ? { documents: [] } : await ask(connection, [{ $sort: { _id: 1 } }, { $limit: sampled }])
connection.closeSync()
const plain = plainDocuments(sample)
const inMemory = new Map<string, { readonly evaluated: number; readonly mingo: number | undefined }>()
for (const { question, pipeline } of sampled === 0 ? [] : questions) {
  const [evaluated] = await timed([withEvaluator(pipeline, sample)], ROUNDS_IN_MEMORY, clock)
  const mingo = await timed([withMingo(pipeline, plain)], ROUNDS_IN_MEMORY, clock).catch(() => undefined)
  inMemory.set(question, { evaluated: evaluated!, mingo: mingo?.[0] })
  console.error(`${question} evaluated ${ms(evaluated)} ms, mingo ${ms(mingo?.[0])} ms over ${sampled} calls`)
}

const scale = calls / sampled
const table = new Table({
  head: ['question', 'documents', 'pipeline ms', 'SQL ms', 'times', `evaluated`, 'mingo', 'faster'],
  colAligns: ['left', 'right', 'right', 'right', 'right', 'right', 'right', 'right'],
  style: { head: [], border: [] },
})
for (const { question, whole, documents, engine, sql } of rows) {
  const { evaluated, mingo } = inMemory.get(question) ?? {}
  const faster = mingo === undefined ? '' : `${((mingo * scale) / engine).toFixed(0)}x`
  const name = whole ? question : `${question} (partly evaluated)`
  table.push([name, documents, ms(engine), ms(sql), (engine / sql).toFixed(2), ms(evaluated), ms(mingo), faster])
}
console.log(table.toString())
const both = rows.flatMap(({ question, engine }) => {
  const { evaluated, mingo } = inMemory.get(question) ?? {}
  return evaluated === undefined || mingo === undefined ? [] : [{ engine, evaluated, mingo }]
})
const report = [
  `${calls} calls in the project asked about; ${cpus().length} x ${cpus()[0]?.model}, Node ${process.version}`,
  `${rows.filter(({ whole }) => whole).length} of ${rows.length} questions run whole in the engine`,
  `${rows.filter(({ same }) => same).length} of ${rows.length} answers are those of the SQL`,
  `beside SQL: geometric mean ${geometric(rows.map(({ engine, sql }) => engine / sql)).toFixed(2)}x`,
  ...(both.length === 0
    ? []
    : [
        `in memory: ${sampled} calls; mingo's times scaled by ${scale.toFixed(1)} to all calls: the engine is ${geometric(both.map(({ engine, mingo }) => (mingo * scale) / engine)).toFixed(0)}x faster (geometric mean), at least ${Math.min(...both.map(({ engine, mingo }) => (mingo * scale) / engine)).toFixed(0)}x`,
        `the evaluator is ${geometric(both.map(({ evaluated, mingo }) => mingo / evaluated)).toFixed(2)}x as fast as mingo (geometric mean over ${both.length} questions that mingo answers)`,
      ]),
]
console.log(report.join('\n'))
