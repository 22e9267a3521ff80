import {
  BLOB,
  DuckDBBlobValue,
  type DuckDBConnection,
  DuckDBDataChunk,
  type DuckDBType,
  type DuckDBValue,
} from '@duckdb/node-api'
import { otherWork } from '../../../base/other-work.js'
import { piecesOf } from '../../../base/pieces-of.js'

/** Rows copied before others are answered. */
const CHUNK_ROWS = 512

/** Bytes of JSON that are handed over in one turn: a record of 15 MB copied as one kept the thread for a tenth of a second, twice. */
const JSON_BYTES = 1024 * 1024

/** A column of a staging table. */
interface StagedColumn<Row> {
  readonly name: string
  readonly type: DuckDBType
  readonly of: (row: Row) => DuckDBValue
}

/**
 * A temporary table through which rows come into statements: with external access off the engine reads no files. Beside its columns it
 * has `json BLOB` where rows have JSON: bytes are taken as they are.
 */
export class StagingTable<Row> {
  readonly #name: string
  readonly #columns: readonly StagedColumn<Row>[]
  readonly #json: ((row: Row) => string | Uint8Array) | undefined
  /** Reused: the memory of a chunk only goes when JavaScript collects it, which sees no need to. */
  #chunk: DuckDBDataChunk | undefined

  constructor(name: string, columns: readonly StagedColumn<Row>[], json?: (row: Row) => string | Uint8Array) {
    this.#name = name
    this.#columns = columns
    this.#json = json
  }

  /** Makes it, with these rows in it, in place of what there was. */
  async make(connection: DuckDBConnection, rows: readonly Row[] = []): Promise<void> {
    const columns = this.#columns.map(({ name, type }) => `${name} ${type.toString()}`)
    if (this.#json !== undefined) columns.push('json BLOB')
    await connection.run(`create or replace temp table ${this.#name} (${columns.join(', ')})`)
    await this.add(connection, rows)
  }

  async clear(connection: DuckDBConnection): Promise<void> {
    await connection.run(`delete from ${this.#name}`)
  }

  async add(connection: DuckDBConnection, rows: readonly Row[]): Promise<void> {
    const isLong = (row: Row): boolean => (this.#json?.(row).length ?? 0) > JSON_BYTES
    const long = rows.filter(isLong)
    const short = long.length === 0 ? rows : rows.filter(row => !isLong(row))
    if (short.length > 0) await this.#append(connection, short)
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    for (const row of long) await this.#insert(connection, row)
  }

  async #append(connection: DuckDBConnection, rows: readonly Row[]): Promise<void> {
    const json = this.#json
    const types = this.#columns.map(({ type }) => type)
    const chunk = (this.#chunk ??= DuckDBDataChunk.create(json === undefined ? types : [...types, BLOB], CHUNK_ROWS))
    const appender = await connection.createAppender(this.#name, 'main', 'temp')
    try {
      for (let start = 0; start < rows.length; start += CHUNK_ROWS) {
        const part = rows.slice(start, start + CHUNK_ROWS)
        const columns = this.#columns.map(({ of }) => part.map(of))
        if (json !== undefined) columns.push(part.map(row => new DuckDBBlobValue(bytesOf(json(row)))))
        chunk.reset()
        chunk.rowCount = part.length
        chunk.setColumns(columns)
        appender.appendDataChunk(chunk)
        // oxlint-disable-next-line no-await-in-loop -- one chunk at a time is the purpose: others are answered between
        await otherWork()
      }
    } finally {
      appender.closeSync()
    }
  }

  /** A row with long JSON, of which a piece is copied in a turn; the engine's own thread puts them together. */
  async #insert(connection: DuckDBConnection, row: Row): Promise<void> {
    const pieces = [...piecesOf(bytesOf(this.#json!(row)), JSON_BYTES)]
    const before = this.#columns.length
    const values = this.#columns.map((_, at) => `$${at + 1}`)
    const prepared = await connection.prepare(
      `insert into ${this.#name} values (${[...values, joined(before + 1, before + pieces.length)].join(', ')})`,
    )
    try {
      for (const [at, { type, of }] of this.#columns.entries()) prepared.bindValue(at + 1, of(row), type)
      for (const [at, piece] of pieces.entries()) {
        prepared.bindBlob(before + at + 1, piece)
        // oxlint-disable-next-line no-await-in-loop -- a piece at a time is the purpose
        await otherWork()
      }
      await prepared.run()
    } finally {
      prepared.destroySync()
    }
  }
}

const bytesOf = (json: string | Uint8Array): Uint8Array => (typeof json === 'string' ? Buffer.from(json) : json)

/** Parameters put together two by two: one after the other each would be copied as often as there are others. */
function joined(first: number, last: number): string {
  if (first === last) return `$${first}::BLOB`
  const middle = Math.floor((first + last) / 2)
  return `(${joined(first, middle)} || ${joined(middle + 1, last)})`
}
