import {
  type DuckDBConnection,
  type DuckDBType,
  type DuckDBValue,
  DOUBLE,
  LIST,
  TIMESTAMP,
  DuckDBTimestampValue,
  VARCHAR,
  listValue,
} from '@duckdb/node-api'
import type { CompiledQuery, Document, Param } from '../../pipeline/index.js'
import type { Deadline } from './deadline.js'
import { engineProblem } from './engine-problem.js'

export interface QueryResult {
  readonly documents: readonly Document[]
  /** More rows existed than `maxRows`. */
  readonly truncated: boolean
}

/** Milliseconds between interrupts: one that comes before the engine has started the query is lost. */
const AGAIN_MS = 20

function bound(param: Param): DuckDBValue {
  if (param instanceof Date) return new DuckDBTimestampValue(BigInt(param.getTime()) * 1000n)
  return typeof param === 'object' && param !== null ? listValue(param) : param
}

/** Types where the client would take another from the value: a date, a whole double (1e20 is no integer), a list. */
function boundType(param: Param): DuckDBType | undefined {
  if (param instanceof Date) return TIMESTAMP
  if (typeof param === 'number') return DOUBLE
  return typeof param === 'object' && param !== null ? LIST(VARCHAR) : undefined
}

/**
 * Runs a compiled query until the deadline ends and reads at most `maxRows` documents of it. The limit is part of the
 * statement, so that the engine stops too and the connection holds no snapshot afterwards.
 */
export async function runQuery(
  connection: DuckDBConnection,
  query: CompiledQuery,
  maxRows: number,
  deadline: Deadline,
): Promise<QueryResult> {
  let interrupting: NodeJS.Timeout | undefined
  const stop = deadline.onEnd(() => {
    connection.interrupt()
    interrupting = setInterval(() => connection.interrupt(), AGAIN_MS)
  })
  try {
    const documents = await read(connection, query, maxRows + 1, deadline)
    if (deadline.ended !== undefined) throw deadline.ended
    return { documents: documents.slice(0, maxRows), truncated: documents.length > maxRows }
  } catch (error) {
    throw deadline.ended ?? engineProblem(error)
  } finally {
    stop()
    clearInterval(interrupting)
  }
}

async function read(
  connection: DuckDBConnection,
  query: CompiledQuery,
  rows: number,
  deadline: Deadline,
): Promise<Document[]> {
  const text = `select * from (${query.sql}) limit ${rows}`
  const result = await connection.stream(text, query.params.map(bound), query.params.map(boundType) as DuckDBType[])
  const documents: Document[] = []
  for await (const chunk of result.yieldRowsJs()) {
    if (deadline.ended !== undefined) throw deadline.ended
    for (const row of chunk) {
      const document = query.decode(row)
      if (document !== undefined) documents.push(document)
    }
  }
  return documents
}
