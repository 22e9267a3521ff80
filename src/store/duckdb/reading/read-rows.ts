import { putField } from '../../../base/fields.js'
import { otherWork } from '../../../base/other-work.js'
import {
  type DuckDBConnection,
  type DuckDBDataChunk,
  type DuckDBPreparedStatement,
  DuckDBDoubleVector,
  DuckDBIntegerVector,
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
import { type CompiledQuery, Inexact, type Param } from '../../../pipeline/index.js'
import type { Deadline } from '../../deadline.js'

/** Statements of a connection that are kept. A question has a few texts, whatever its values, which are parameters. */
const MOST_PREPARED_STATEMENTS = 64

const preparedBy = new WeakMap<DuckDBConnection, Map<string, DuckDBPreparedStatement>>()

/**
 * A statement, prepared once for each connection: reading its text and planning it for unknown values take the
 * engine a millisecond or more, the former in this thread. Of a statement that is asked again what was bound before stays
 * until it is bound anew. The engine plans it again for the values it is given, so that blocks of rows can be passed over.
 */
async function preparedStatement(connection: DuckDBConnection, sql: string): Promise<DuckDBPreparedStatement> {
  const statements = preparedBy.get(connection) ?? new Map<string, DuckDBPreparedStatement>()
  preparedBy.set(connection, statements)
  const found = statements.get(sql) ?? (await connection.prepare(sql))
  // The one that was asked last stands last.
  statements.delete(sql)
  statements.set(sql, found)
  for (const [oldest, statement] of statements) {
    if (statements.size <= MOST_PREPARED_STATEMENTS) break
    statements.delete(oldest)
    statement.destroySync()
  }
  return found
}

/**
 * Asks by a statement that is kept, where it has parameters. One without them the engine plans once and for all (1.5.6), by how long texts
 * were then and how large numbers, and what is written later is read cut off: that is let go of.
 */
async function asking<T>(
  connection: DuckDBConnection,
  sql: string,
  params: readonly unknown[],
  ask: (statement: DuckDBPreparedStatement) => Promise<T>,
): Promise<T> {
  if (params.length > 0) return await ask(await preparedStatement(connection, sql))
  const once = await connection.prepare(sql)
  try {
    return await ask(once)
  } finally {
    once.destroySync()
  }
}

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

/** Gives a statement the values of its parameters. */
export function bindParams(statement: DuckDBPreparedStatement, params: readonly Param[]): void {
  statement.bind(params.map(bound), params.map(boundType) as DuckDBType[])
}

/** Every row of one of the store's own small questions. */
export async function allRows(
  connection: DuckDBConnection,
  sql: string,
  values: DuckDBValue[] = [],
): Promise<readonly unknown[][]> {
  return await asking(connection, sql, values, async statement => {
    statement.bind(values)
    return (await statement.runAndReadAll()).getRowsJS()
  })
}

/** Values of a list after which it is seen whether others want their turn. */
const VALUES_BETWEEN_TURNS = 64
const NUMBERS_BETWEEN_TURNS = 4_096
/** Characters of texts in it after which it is: some texts are as long as all else of a call. */
const CHARACTERS_BETWEEN_TURNS = 64 * 1024

/** Whose values are what they are in JavaScript: they need no conversion, which takes ten times as long as reading them. */
const isOfNumbers = (vector: DuckDBVector): vector is DuckDBDoubleVector | DuckDBIntegerVector =>
  vector instanceof DuckDBDoubleVector || vector instanceof DuckDBIntegerVector

type OnBytes = (bytes: number) => void

/** Reads the value of a column at a place, at once or in parts: one may hold lists as long as there are calls. */
type Reads = { readonly atOnce: (place: number) => unknown } | { readonly inParts: InParts }
type InParts = (place: number) => Generator<undefined, unknown>

/** How a column of a chunk is read, found out once for all its values. */
function readsOf(vector: DuckDBVector, onBytes: OnBytes): Reads {
  if (vector instanceof DuckDBListVector) return { inParts: readsList(vector, onBytes) }
  if (vector instanceof DuckDBStructVector) return readsDocument(vector, onBytes)
  const { type } = vector
  const atOnce = (place: number) => {
    const value = vector.getItem(place)
    // As many bytes as its JSON has at least.
    onBytes(typeof value === 'string' ? value.length : 1)
    return typeof value === 'string' ? value : JSDuckDBValueConverter(value, type, JSDuckDBValueConverter)
  }
  return { atOnce }
}

/** Lists are walked element by element: the client's own way makes a whole list before anyone can tell how large it is. */
function readsList(vector: DuckDBListVector, onBytes: OnBytes): InParts {
  const { childVector } = vector
  const areNumbers = isOfNumbers(childVector)
  let characters = 0
  const counted = (bytes: number) => {
    characters += bytes
    onBytes(bytes)
  }
  const items: Reads = areNumbers ? { atOnce: i => childVector.getItem(i) } : readsOf(childVector, counted)
  const betweenTurns = areNumbers ? NUMBERS_BETWEEN_TURNS : VALUES_BETWEEN_TURNS
  return function* inParts(place) {
    if (vector.getItemVector(place) === null) return null
    const found: unknown[] = []
    const from = vector.getEntryOffset(place)
    const end = from + vector.getEntryLength(place)
    if (areNumbers) onBytes(end - from)
    for (let i = from; i < end; i += 1) {
      found.push('atOnce' in items ? items.atOnce(i) : yield* items.inParts(i))
      if (found.length % betweenTurns !== 0 && characters < CHARACTERS_BETWEEN_TURNS) continue
      characters = 0
      yield
    }
    return found
  }
}

/** A document has as many values as its type has fields, where none of them is a list: it is read at once. */
function readsDocument(vector: DuckDBStructVector, onBytes: OnBytes): Reads {
  const names = vector.type.entryNames
  const fields = names.map((_, i) => readsOf(vector.entryVectorAt(i), onBytes))
  const atOnce = fields.flatMap(field => ('atOnce' in field ? [field.atOnce] : []))
  if (atOnce.length === fields.length) {
    return {
      atOnce: place => {
        if (!vector.isItemValid(place)) return null
        const found: Record<string, unknown> = {}
        for (let i = 0; i < names.length; i += 1) putField(found, names[i]!, atOnce[i]!(place))
        return found
      },
    }
  }
  return {
    *inParts(place) {
      if (!vector.isItemValid(place)) return null
      const found: Record<string, unknown> = {}
      for (const [i, field] of fields.entries())
        putField(found, names[i]!, 'atOnce' in field ? field.atOnce(place) : yield* field.inParts(place))
      return found
    },
  }
}

/** The rows of a chunk; `undefined` on the way to one. */
function* rowsOf(chunk: DuckDBDataChunk, onBytes: OnBytes): Generator<Row | undefined> {
  const columns = Array.from({ length: chunk.columnCount }, (_, i) => readsOf(chunk.getColumnVector(i), onBytes))
  for (let row = 0; row < chunk.rowCount; row += 1) {
    const values: unknown[] = []
    for (const column of columns) values.push('atOnce' in column ? column.atOnce(row) : yield* column.inParts(row))
    yield values
  }
}

/**
 * Runs a statement and hands on its rows, at most `most` in all, some at a time. The limit is part of the statement, so
 * that the engine stops too and the connection holds no snapshot afterwards. However many there are, others get their
 * turn in this thread.
 * @param onBytes hears of each value how many bytes its JSON has at least; what it throws ends the reading
 */
export async function* readRows(
  connection: DuckDBConnection,
  query: Pick<CompiledQuery, 'sql' | 'params' | 'unlimited'>,
  most: number,
  deadline: Deadline,
  onBytes: (bytes: number) => void,
): AsyncGenerator<readonly Row[]> {
  const text = query.unlimited === true ? `${query.sql} limit ${most}` : `select * from (${query.sql}) limit ${most}`
  const result = await asking(connection, text, query.params, statement => {
    bindParams(statement, query.params)
    return statement.stream().catch((error: unknown) => {
      throw Inexact.of(error) ?? error
    })
  })
  let finished = false
  try {
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- chunks come one after the other
      const chunk = await result.fetchChunk()
      if (chunk === null || chunk.rowCount === 0) break
      yield* inTurns(rowsOf(chunk, onBytes), deadline)
    }
    finished = true
  } catch (error) {
    throw Inexact.of(error) ?? error
  } finally {
    // What was left unread would keep its snapshot.
    if (!finished) {
      connection.interrupt()
      await result.fetchChunk().catch(() => undefined)
    }
  }
}

/** The rows in as many parts as it takes to let others work between them; those before one that can't be made too. */
async function* inTurns(rows: Iterable<Row | undefined>, deadline: Deadline): AsyncGenerator<readonly Row[]> {
  let part: Row[] = []
  let began = performance.now()
  try {
    for (const row of rows) {
      if (row !== undefined) part.push(row)
      if (performance.now() - began < TURN_MS) continue
      if (deadline.ended !== undefined) throw deadline.ended
      if (part.length > 0) yield part
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
