import {
  type DuckDBConnection,
  type DuckDBDataChunk,
  DuckDBListVector,
  DuckDBStructVector,
  type DuckDBType,
  type DuckDBValue,
  type DuckDBVector,
  DOUBLE,
  JSDuckDBValueConverter,
  LIST,
  TIMESTAMP,
  DuckDBTimestampValue,
  VARCHAR,
  listValue,
} from '@duckdb/node-api'
import { Problem } from '../../base/problem.js'
import type { CompiledQuery, Param } from '../../pipeline/index.js'
import type { Deadline } from './deadline.js'

/** A row as the client gives it in JavaScript's own values. */
export type Row = readonly unknown[]

/**
 * Most elements of lists in one chunk of rows, lists in lists counted too. The client makes values of a whole list at
 * once, in this thread, before its size can be told: beyond this others would wait too long.
 */
const MOST_ITEMS = 2_000_000

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

/** Elements of all lists in a vector. */
function itemsWithin(vector: DuckDBVector): number {
  if (vector instanceof DuckDBListVector) return vector.childVector.itemCount + itemsWithin(vector.childVector)
  if (!(vector instanceof DuckDBStructVector)) return 0
  return vector.type.entryTypes.reduce((sum, _, i) => sum + itemsWithin(vector.entryVectorAt(i)), 0)
}

function* rowsOf(chunk: DuckDBDataChunk, onBytes: (bytes: number) => void): Generator<Row> {
  const columns = Array.from({ length: chunk.columnCount }, (_, i) => chunk.getColumnVector(i))
  if (columns.reduce((sum, column) => sum + itemsWithin(column), 0) > MOST_ITEMS) {
    throw new Problem(
      'too_large',
      `The documents hold arrays of more than ${MOST_ITEMS} elements together; group, slice or project them to fewer`,
    )
  }
  const convert: typeof JSDuckDBValueConverter = (value, type) => {
    // As many bytes as its JSON has at least.
    onBytes(typeof value === 'string' ? value.length : 1)
    return JSDuckDBValueConverter(value, type, convert)
  }
  for (let row = 0; row < chunk.rowCount; row += 1) {
    yield columns.map(column => convert(column.getItem(row), column.type, convert))
  }
}

/**
 * Runs a statement and gives its rows chunk by chunk, at most `most` in all; a chunk's rows are made while they are
 * walked. The limit is part of the statement, so that the engine stops too and the connection holds no snapshot
 * afterwards.
 * @param onBytes hears of each value how many bytes its JSON has at least; what it throws ends the reading
 */
export async function* readRows(
  connection: DuckDBConnection,
  query: Pick<CompiledQuery, 'sql' | 'params'>,
  most: number,
  deadline: Deadline,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Generator<Row>> {
  const text = `select * from (${query.sql}) limit ${most}`
  const result = await connection.stream(text, query.params.map(bound), query.params.map(boundType) as DuckDBType[])
  let finished = false
  try {
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- chunks come one after the other
      const chunk = await result.fetchChunk()
      if (chunk === null || chunk.rowCount === 0) break
      if (deadline.ended !== undefined) throw deadline.ended
      yield rowsOf(chunk, onBytes)
    }
    finished = true
  } finally {
    // What was left unread would keep its snapshot.
    if (!finished) {
      connection.interrupt()
      await result.fetchChunk().catch(() => undefined)
    }
  }
}
