import { setImmediate as otherWork } from 'node:timers/promises'
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
import type { CompiledQuery, Param } from '../../pipeline/index.js'
import type { Deadline } from './deadline.js'

/** A row as the client gives it in JavaScript's own values. */
export type Row = readonly unknown[]

/** Milliseconds after which others get their turn. */
const TURN_MS = 2

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
 * A value of a chunk. Lists are walked element by element: the client's own way makes a whole list before anyone can tell
 * how large it is.
 */
function valueAt(vector: DuckDBVector, place: number, onBytes: (bytes: number) => void): unknown {
  if (vector instanceof DuckDBListVector) {
    if (vector.getItemVector(place) === null) return null
    const { childVector } = vector
    const from = vector.getEntryOffset(place)
    const items: unknown[] = []
    for (let i = from; i < from + vector.getEntryLength(place); i += 1) items.push(valueAt(childVector, i, onBytes))
    return items
  }
  if (vector instanceof DuckDBStructVector) {
    if (!vector.isItemValid(place)) return null
    const { entryNames } = vector.type
    return Object.fromEntries(entryNames.map((name, i) => [name, valueAt(vector.entryVectorAt(i), place, onBytes)]))
  }
  const value = vector.getItem(place)
  // As many bytes as its JSON has at least.
  onBytes(typeof value === 'string' ? value.length : 1)
  return JSDuckDBValueConverter(value, vector.type, JSDuckDBValueConverter)
}

function* rowsOf(chunk: DuckDBDataChunk, onBytes: (bytes: number) => void): Generator<Row> {
  const columns = Array.from({ length: chunk.columnCount }, (_, i) => chunk.getColumnVector(i))
  for (let row = 0; row < chunk.rowCount; row += 1) yield columns.map(column => valueAt(column, row, onBytes))
}

/**
 * Runs a statement and hands on its rows, at most `most` in all, some at a time. The limit is part of the statement, so
 * that the engine stops too and the connection holds no snapshot afterwards. However many there are, others get their
 * turn in this thread.
 * @param onBytes hears of each value how many bytes its JSON has at least; what it throws ends the reading
 */
export async function* readRows(
  connection: DuckDBConnection,
  query: Pick<CompiledQuery, 'sql' | 'params'>,
  most: number,
  deadline: Deadline,
  onBytes: (bytes: number) => void,
): AsyncGenerator<readonly Row[]> {
  const text = `select * from (${query.sql}) limit ${most}`
  const result = await connection.stream(text, query.params.map(bound), query.params.map(boundType) as DuckDBType[])
  let finished = false
  try {
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- chunks come one after the other
      const chunk = await result.fetchChunk()
      if (chunk === null || chunk.rowCount === 0) break
      yield* inTurns(rowsOf(chunk, onBytes), deadline)
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

/** The rows in as many parts as it takes to let others work between them; those before one that can't be made too. */
async function* inTurns(rows: Iterable<Row>, deadline: Deadline): AsyncGenerator<readonly Row[]> {
  let part: Row[] = []
  let began = performance.now()
  try {
    for (const row of rows) {
      part.push(row)
      if (performance.now() - began < TURN_MS) continue
      if (deadline.ended !== undefined) throw deadline.ended
      yield part
      part = []
      // oxlint-disable-next-line no-await-in-loop -- that is the purpose
      await otherWork()
      began = performance.now()
    }
  } catch (error) {
    if (part.length > 0) yield part
    throw error
  }
  if (deadline.ended !== undefined) throw deadline.ended
  if (part.length > 0) yield part
}
