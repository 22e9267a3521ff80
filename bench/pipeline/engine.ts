import type { DuckDBConnection } from '@duckdb/node-api'
import { availableParallelism, totalmem } from 'node:os'
import { join } from 'node:path'
import {
  type CompiledQuery,
  type Document,
  Inexact,
  type Pipeline,
  compile,
  evaluate,
  narrow,
  parsePipeline,
} from '../../src/pipeline/index.js'
import { scope } from '../../src/pipeline/scope.js'
import { callSource } from '../../src/store/duckdb/reading/call-source.js'
import { Deadline } from '../../src/store/deadline.js'
import { connectTo, openEngine } from '../../src/store/duckdb/files/open-engine.js'
import { inItsPlace } from '../../src/store/duckdb/reading/in-its-place.js'
import { runQuery } from '../../src/store/duckdb/reading/run-query.js'
import { now } from '../corpus/analyst-questions.js'
import { recordShape } from './record-shape.js'

/** The project the questions are asked about. */
export const PROJECT = 'p2'

/** Longest a question may take, in milliseconds. */
const DEADLINE_MS = 120_000

const MOST = 1_000_000

/** The store's engine, opened as the service opens it. */
export async function openStore(dataDir: string, threads = availableParallelism()): Promise<DuckDBConnection> {
  const memory = Math.min(4096, Math.max(512, totalmem() / 2 ** 21))
  const options = { dataDir, memoryLimit: `${Math.round(memory)}MiB`, threads }
  return connectTo(await openEngine(join(dataDir, 'earshot.duckdb'), options))
}

/** From the pipeline as JSON to documents, as the store does it. */
export async function ask(
  connection: DuckDBConnection,
  json: readonly object[],
): Promise<{ readonly documents: readonly Document[]; readonly engineStages: number }> {
  const pipeline = parsePipeline(json, { shape: recordShape, now, derivedFields: false })
  return await run(connection, pipeline, Infinity)
}

async function run(connection: DuckDBConnection, pipeline: Pipeline, most: number) {
  const scoped = narrow(pipeline, scope(PROJECT, 'all'))
  const { query, engineStages, place } = compile(scoped, callSource, most)
  const deadline = new Deadline(DEADLINE_MS)
  const read = (one: CompiledQuery) => runQuery(connection, one, MOST, deadline)
  try {
    const { documents } = await (place === undefined
      ? read(query)
      : inItsPlace(connection, place, deadline, at =>
          read(at === undefined ? query : compile(scoped, callSource, engineStages, at).query),
        ))
    return { documents: evaluate(scoped.pipeline, documents, engineStages), engineStages }
  } catch (error) {
    if (error instanceof Inexact) return await run(connection, pipeline, error.engineStages)
    throw error
  } finally {
    deadline.dispose()
  }
}

/** The rows of hand-written SQL by the names of its columns. */
export async function rowsOf(connection: DuckDBConnection, sql: string): Promise<readonly object[]> {
  return (await connection.runAndReadAll(sql, [PROJECT])).getRowObjectsJS()
}

/** Runs hand-written SQL and reads its rows as the store reads those of a pipeline. */
export async function askSql(connection: DuckDBConnection, sql: string): Promise<void> {
  const deadline = new Deadline(DEADLINE_MS)
  try {
    await runQuery(connection, { sql, params: [PROJECT], decode: row => ({ first: String(row[0]) }) }, MOST, deadline)
  } finally {
    deadline.dispose()
  }
}
