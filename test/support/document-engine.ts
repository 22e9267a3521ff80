import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import type { CallRecord } from '../../src/calls/call-record.js'
import type { FieldType } from '../../src/calls/field-type.js'
import { type Document, type Source, type Value, narrow, parsePipeline, toExtended } from '../../src/pipeline/index.js'
import { scope } from '../../src/pipeline/scope.js'
import { Double, isArray, isDocument, isInt } from '../../src/pipeline/value.js'
import { callSource } from '../../src/store/duckdb/reading/call-source.js'
import { columnType, quoted } from '../../src/store/duckdb/column-type.js'
import { jsonStructure } from '../../src/store/duckdb/writing/json-structure.js'
import { typedText } from './pipeline-cases.js'
import { NOW, type Run, createCalls, fillCalls, inOrder, recordShape, runCompiled, toDocument } from './call-engine.js'

/** Runs pipelines over free documents, or over calls, in a real engine: the documents become a table of typed columns. */
export interface DocumentEngine {
  /** `undefined` when the documents fit no typed columns. */
  documents(documents: readonly Document[], pipeline: readonly object[]): Promise<Run | undefined>
  calls(calls: readonly object[], pipeline: readonly object[]): Promise<Run>
  close(): void
}

const PROJECT = 'p'

/** A table for the documents, or `undefined`. */
interface Table {
  readonly source: Source
}

export async function documentEngine(): Promise<DocumentEngine> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
  const connection = await instance.connect()
  await connection.run("set timezone = 'UTC'")
  const tables = new Map<string, Promise<Table | undefined>>()
  const callTables = new Map<string, Promise<Table>>()
  const run = async (source: Source, json: readonly object[], shaped: boolean): Promise<Run> => {
    const pipeline = parsePipeline(json, { now: NOW, ...(shaped ? { shape: recordShape } : {}) })
    return runCompiled(connection, narrow(pipeline, scope(PROJECT, 'all')), source)
  }
  return {
    documents: async (documents, pipeline) => {
      // The texts show types and cut doubles to some digits, the JSON shows all digits.
      const key = documents.map(one => `${typedText(one)} ${JSON.stringify(toExtended(one))}`).join('\n')
      if (!tables.has(key)) tables.set(key, tableOf(connection, `t${tables.size}`, documents))
      const table = await tables.get(key)!
      return table === undefined ? undefined : run(table.source, pipeline, false)
    },
    calls: async (calls, pipeline) => {
      const key = JSON.stringify(calls)
      if (!callTables.has(key)) callTables.set(key, callTable(connection, `calls${callTables.size}`, calls))
      return run((await callTables.get(key)!).source, pipeline, true)
    },
    close: () => instance.closeSync(),
  }
}

async function callTable(connection: DuckDBConnection, name: string, calls: readonly object[]): Promise<Table> {
  await createCalls(connection)
  await fillCalls(connection, PROJECT, calls.map(wholeCall))
  await connection.run(`alter table calls rename to ${name}`)
  return { source: { ...callSource, table: name } }
}

/** A call record with what every call has. */
export function wholeCall(call: object, i: number): CallRecord {
  return {
    session_id: `c${i}`,
    agent_id: 'ana',
    agent_name: 'Ana',
    created_dt: `2026-03-01T00:00:0${i % 10}Z`,
    ...call,
  }
}

/** A case's calls as the documents the evaluator sees. */
export function callDocuments(calls: readonly object[]): readonly Document[] {
  return inOrder(calls.map(wholeCall)).map(toDocument)
}

/** No type holds these values. */
class Unfit extends Error {}

async function tableOf(
  connection: DuckDBConnection,
  table: string,
  documents: readonly Document[],
): Promise<Table | undefined> {
  try {
    const fields = fieldsOf(documents, () => {
      throw new Unfit('The fields have no common order')
    }).map(({ name, values }) => ({ name, ...columnOf(values), required: values.length === documents.length }))
    const columns = fields.map(({ type }, i) => `f${i} ${columnType(type)}`)
    await connection.run(
      `create table ${table} (project varchar, agent varchar${columns.map(one => `, ${one}`).join('')})`,
    )
    const structure = JSON.stringify(Object.fromEntries(fields.map(({ type }, i) => [`f${i}`, jsonStructure(type)])))
    const values = fields.map(({ type }, i) =>
      type.kind === 'open' ? `json_extract(j, '$.f${i}')` : `json_transform(j, $3).f${i}::${columnType(type)}`,
    )
    const rows = documents.map(document =>
      Object.fromEntries(
        fields.flatMap(({ name }, i) => (Object.hasOwn(document, name) ? [[`f${i}`, jsonOf(document[name]!)]] : [])),
      ),
    )
    await connection.run(
      `insert into ${table} select $2, 'Ana'${values.map(one => `, ${one}`).join('')} from (select unnest($1::json::json[]) as j, $3)`,
      [JSON.stringify(rows), PROJECT, structure],
    )
    const source: Source = {
      table,
      projectColumn: 'project',
      agentColumn: 'agent',
      startColumn: 'agent',
      columns: fields.map(({ name, type, required }, i) => {
        return { name, sql: quoted(`f${i}`), type, required, withoutText: 'same' }
      }),
      derived: [],
      order: ['rowid'],
    }
    return { source }
  } catch (error) {
    if (error instanceof Unfit) return undefined
    throw error
  }
}

/** A value as the JSON a column is filled from. */
function jsonOf(value: Value): unknown {
  if (value instanceof Date) return value.toISOString()
  if (isArray(value)) return value.map(jsonOf)
  if (isDocument(value)) return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, jsonOf(item)]))
  return toExtended(value)
}

/** The fields of documents in an order that all of them have. */
function fieldsOf(
  documents: readonly Document[],
  unordered: () => never,
): readonly { readonly name: string; readonly values: readonly Value[] }[] {
  const names: string[] = []
  for (const document of documents) {
    let place = 0
    for (const name of Object.keys(document)) {
      const known = names.indexOf(name)
      if (known === -1) names.splice(place, 0, name)
      else if (known < place) unordered()
      place = names.indexOf(name) + 1
    }
  }
  return names.map(name => ({
    name,
    values: documents.flatMap(document => (Object.hasOwn(document, name) ? [document[name]!] : [])),
  }))
}

function columnOf(values: readonly Value[]): { readonly type: FieldType } {
  const type = typeOf(values)
  if (type !== undefined) return { type }
  values.forEach(refuseUnfit)
  return { type: { kind: 'open' } }
}

/** JSON tells neither dates nor doubles of whole value nor longs. */
function refuseUnfit(value: Value): void {
  if (value instanceof Date || value instanceof Double || typeof value === 'bigint') throw new Unfit('Not JSON')
  if (typeof value === 'number' && !Number.isFinite(value)) throw new Unfit('Not JSON')
  if (isArray(value)) value.forEach(refuseUnfit)
  if (isDocument(value)) Object.values(value).forEach(refuseUnfit)
}

const SCALARS: readonly (readonly [
  FieldType['kind'] & ('string' | 'bool' | 'date' | 'int' | 'double'),
  (value: Value) => boolean,
])[] = [
  ['string', value => typeof value === 'string'],
  ['bool', value => typeof value === 'boolean'],
  ['date', value => value instanceof Date],
  ['int', isInt],
  [
    'double',
    value => value instanceof Double || (typeof value === 'number' && !isInt(value) && Number.isFinite(value)),
  ],
]

/** The type all the values have, or `undefined`. */
function typeOf(values: readonly Value[]): FieldType | undefined {
  for (const [kind, holds] of SCALARS) if (values.every(holds)) return { kind }
  if (values.every(isArray)) {
    const of = typeOf(values.flat())
    return of && { kind: 'list', of }
  }
  if (!values.every(isDocument)) return undefined
  let ordered = true
  const fields = fieldsOf(values, (() => {
    ordered = false
  }) as () => never)
  if (!ordered || fields.length === 0 || new Set(fields.map(({ name }) => name.toLowerCase())).size < fields.length)
    return undefined
  const types = new Map<string, FieldType>()
  for (const field of fields) {
    const type = typeOf(field.values)
    if (type === undefined) return undefined
    types.set(field.name, type)
  }
  const required = new Set(fields.flatMap(field => (field.values.length === values.length ? [field.name] : [])))
  return { kind: 'struct', fields: types, required }
}
