import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import { callFields } from '../../src/calls/call-fields.js'
import type { CallRecord } from '../../src/calls/call-record.js'
import type { FieldType } from '../../src/calls/field-type.js'
import { Problem } from '../../src/base/problem.js'
import {
  type Document,
  Inexact,
  type ScopedPipeline,
  type Source,
  type Value,
  compile,
  evaluate,
  narrow,
  parsePipeline,
} from '../../src/pipeline/index.js'
import { type Scope, scope } from '../../src/pipeline/scope.js'
import { double } from '../../src/pipeline/value.js'
import { callColumnList, insertCalls } from '../../src/store/duckdb/call-columns.js'
import { callSource } from '../../src/store/duckdb/reading/call-source.js'
import { Deadline } from '../../src/store/deadline.js'
import { storePosition } from '../../src/store/duckdb/migrations/006-store-position.js'
import { writeNumber } from '../../src/store/duckdb/files/store-position.js'
import { bindParams } from '../../src/store/duckdb/reading/read-rows.js'
import { runQuery } from '../../src/store/duckdb/reading/run-query.js'
import { overStaged } from '../../src/store/duckdb/writing/stage-calls.js'

/** The types of the record's fields, as the parser takes them. */
export const recordShape: ReadonlyMap<string, FieldType> = new Map([
  ['_id', { kind: 'string' }],
  ...callFields.map((field): [string, FieldType] => [field.name, field.type]),
])

export const NOW = new Date('2026-03-15T12:00:00Z')

function typed(value: unknown, type: FieldType): Value {
  if (type.kind === 'date') return new Date(value as string)
  if (type.kind === 'double') return double(value as number)
  if (type.kind === 'list') return (value as readonly unknown[]).map(item => typed(item, type.of))
  if (type.kind === 'open') return openValue(value)
  if (type.kind !== 'struct') return value as Value
  const entries = [...type.fields].flatMap(([name, field]): [string, Value][] => {
    const inner = (value as Readonly<Record<string, unknown>>)[name]
    return inner === undefined ? [] : [[name, typed(inner, field)]]
  })
  return Object.fromEntries(entries)
}

function openValue(value: unknown): Value {
  return JSON.parse(JSON.stringify(value)) as Value
}

/** A call record as the document a pipeline sees. */
export function toDocument(record: CallRecord): Document {
  const fields = callFields.flatMap(({ name, type }): [string, Value][] => {
    const value = (record as Readonly<Record<string, unknown>>)[name]
    return value === undefined ? [] : [[name, typed(value, type)]]
  })
  return Object.fromEntries([['_id', record.session_id], ...fields])
}

const compareTexts = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))

/** Calls in the order they come in (rule "order of calls"). */
export function inOrder(records: readonly CallRecord[]): readonly CallRecord[] {
  return records.toSorted(
    (a, b) => Date.parse(a.created_dt) - Date.parse(b.created_dt) || compareTexts(a.session_id, b.session_id),
  )
}

/** What a pipeline gave, and how many of its stages ran in the engine. */
export interface Run {
  readonly documents: readonly Document[]
  readonly engineStages: number
  readonly sql: string
}

/** Runs a pipeline as the store does: what the engine can't treat exactly is evaluated. */
export async function runCompiled(
  connection: DuckDBConnection,
  scoped: ScopedPipeline,
  source: Source,
  most = Infinity,
): Promise<Run> {
  const { query, engineStages } = compile(scoped, source, most)
  const deadline = new Deadline(60_000)
  try {
    const result = await runQuery(connection, query, 100_000, deadline)
    return { documents: evaluate(scoped.pipeline, result.documents, engineStages), engineStages, sql: query.sql }
  } catch (error) {
    if (error instanceof Inexact) return await runCompiled(connection, scoped, source, error.engineStages)
    if (error instanceof Error && !(error instanceof Problem)) error.message += `\n${query.sql}`
    throw error
  } finally {
    deadline.dispose()
  }
}

/** An operator of the engine's plan, as it ran. */
interface Operator {
  readonly operator_name?: string
  readonly operator_cardinality?: number
  readonly children: readonly Operator[]
}

const scannedBy = ({ operator_name: name, operator_cardinality: rows = 0, children }: Operator): number =>
  children.reduce((sum, child) => sum + scannedBy(child), name?.trim() === 'SEQ_SCAN' ? rows : 0)

/** Calls in a real engine and in memory, so that a pipeline can be run both ways. */
export interface CallEngine {
  /** Runs the stages the engine can run exactly and evaluates the rest. */
  compiled(pipeline: unknown, within?: Scope): Promise<Run>
  evaluated(pipeline: unknown): readonly Document[]
  /** How many rows leave the scans of the table, beneath all else that the statement does. */
  scanned(pipeline: unknown, within: Scope): Promise<number>
  /** The rows of SQL of our own; $1 is the project. */
  rows(sql: string): Promise<readonly object[]>
  close(): void
}

const PROJECT = 'p'

/**
 * An engine with the given calls in one project, and one stranger's call beside them; `now` is what $$NOW is. Of few calls two threads
 * share no work, but wait busily for each other.
 */
export async function callEngine(records: readonly CallRecord[], now = NOW, threads = 1): Promise<CallEngine> {
  const instance = await DuckDBInstance.create(':memory:', { threads: String(threads) })
  const connection = await instance.connect()
  await connection.run("set timezone = 'UTC'")
  await createCalls(connection)
  await fillCalls(connection, PROJECT, records)
  await fillCalls(connection, 'other', [
    { session_id: 'stranger', agent_name: 'Stranger', created_dt: '2026-03-01T00:00:00Z', title: 'not yours' },
  ])
  const documents = inOrder(records).map(toDocument)
  return {
    compiled: async (json, within = scope(PROJECT, 'all')) => {
      const pipeline = parsePipeline(json, { shape: recordShape, now, derivedFields: false })
      return runCompiled(connection, narrow(pipeline, within), callSource)
    },
    scanned: async (json, within) => {
      const pipeline = parsePipeline(json, { shape: recordShape, now, derivedFields: false })
      const { sql, params } = compile(narrow(pipeline, within), callSource).query
      const statement = await connection.prepare(`explain (analyze, format json) ${sql}`)
      bindParams(statement, params)
      const [row] = (await statement.runAndReadAll()).getRowsJS() as readonly (readonly string[])[]
      return scannedBy(JSON.parse(row?.[1] ?? '') as Operator)
    },
    evaluated: json => evaluate(parsePipeline(json, { shape: recordShape, now }), documents),
    rows: async text => (await connection.runAndReadAll(text, [PROJECT])).getRowObjectsJS(),
    close: () => instance.closeSync(),
  }
}

/** The engine, which is asked each pipeline once however many tests look at its answer: it gives the same again (order.test.ts). */
export function askedOnce(engine: CallEngine): CallEngine {
  const runs = new Map<string, Promise<Run>>()
  return {
    ...engine,
    compiled: async (pipeline, within) => {
      if (within !== undefined) return await engine.compiled(pipeline, within)
      const key = JSON.stringify(pipeline)
      if (!runs.has(key)) runs.set(key, engine.compiled(pipeline))
      return await runs.get(key)!
    },
  }
}

export async function createCalls(connection: DuckDBConnection): Promise<void> {
  await connection.run(`create table calls (${callColumnList})`)
  // Calls are written under its number. Made anew where it is there: tests make several tables, each renamed then.
  await connection.run('drop table if exists store_position')
  for (const statement of storePosition.statements) await connection.run(statement)
}

/** Puts calls into the table as import does. */
export async function fillCalls(
  connection: DuckDBConnection,
  project: string,
  records: readonly CallRecord[],
): Promise<void> {
  const calls = records.map(record => ({
    session_id: record.session_id,
    agent_id: record.agent_id ?? record.agent_name.toLowerCase(),
    agent_name: record.agent_name,
    json: JSON.stringify(record),
  }))
  const values = [project, await writeNumber(connection)]
  await overStaged(connection, [calls], { statement: insertCalls, values })
}
