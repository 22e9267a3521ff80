import { DuckDBInstance } from '@duckdb/node-api'
import { expect, test } from 'vitest'
import { Problem } from '../../src/base/problem.js'
import { evaluate, narrow, parsePipeline } from '../../src/pipeline/index.js'
import { type Scope, scope } from '../../src/pipeline/scope.js'
import { callSource } from '../../src/store/duckdb/reading/call-source.js'
import { NOW, createCalls, fillCalls, recordShape, runCompiled, toDocument } from '../support/call-engine.js'
import { failing, failingPlaces } from '../support/failing-expressions.js'
import { markedCalls, trapCalls } from '../support/trap-calls.js'

/**
 * Among many rows that make an expression raise, all of them out of scope and between those in it, no failure tells of
 * them: with two threads the engine looks at many rows at once, and may look at some before it has dropped them.
 * `npm run attack:pipeline -- --rows 1000000`.
 */
const rows = Number(process.env['ATTACK_ROWS'] ?? 0)

/** Times each pipeline runs: what threads do first differs from run to run. */
const RUNS = 3

test.runIf(rows > 0)(
  'no failure tells of a row out of scope',
  async () => {
    const instance = await DuckDBInstance.create(':memory:', { threads: '2' })
    const connection = await instance.connect()
    await connection.run("set timezone = 'UTC'")
    await createCalls(connection)
    const ours = markedCalls('p')
    await fillCalls(connection, 'p', [...ours, ...trapCalls('p', 'Trap')])
    await fillCalls(connection, 'q', trapCalls('q', 'Ana'))
    // Strangers before, between and after ours, from the same project and from another.
    await connection.run(`create table many as
      select c.* replace (c.session_id || '-' || i as session_id, md5_number_lower(c.session_id || '-' || i) as session_key)
      from calls c, range(${Math.ceil(rows / 2)}) r(i) where c.title like '%-trap'`)
    await connection.run("insert into many select * from calls where title not like '%-trap'")
    await connection.run('delete from calls')
    await connection.run('insert into calls select * from many order by hash(session_id)')
    await connection.run('drop table many')
    const parse = (pipeline: readonly object[]) => parsePipeline(pipeline, { shape: recordShape, now: NOW })
    const run = (pipeline: readonly object[], within: Scope) =>
      runCompiled(connection, narrow(parse(pipeline), within), callSource)
    const mine = scope('p', ['Ana', 'Ben', 'Cyd'])
    const documents = ours.map(toDocument)
    const told: string[] = []
    let ran = 0
    for (const [what, expression] of failing) {
      for (const [where, put] of failingPlaces) {
        const pipeline = put(expression)
        const wanted = attempt(() => evaluate(parse(pipeline), documents).length)
        if (wanted instanceof Problem) continue
        for (let i = 0; i < RUNS; i += 1) {
          ran += 1
          // oxlint-disable-next-line no-await-in-loop -- one connection
          const found = await run(pipeline, mine).then(
            result => result.documents.length,
            (error: unknown) => String(error),
          )
          if (found !== wanted) told.push(`${what} in ${where}: ${found} instead of ${wanted}`)
        }
      }
    }
    process.stderr.write(`${ran} runs over ${rows} rows out of scope, ${told.length} told of them\n`)
    expect(told).toEqual([])
    // The traps do raise for who may see them.
    await expect(
      run([{ $project: { x: { $divide: [1, '$session_metadata.n'] } } }], scope('p', ['Trap'])),
    ).rejects.toThrow('can not divide by zero')
    instance.closeSync()
  },
  3_600_000,
)

function attempt<T>(run: () => T): T | Problem {
  try {
    return run()
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}
