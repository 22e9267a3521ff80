import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { makeDirectory } from '../../../base/make-directory.js'
import { Problem } from '../../../base/problem.js'
import { callFields } from '../../../calls/call-fields.js'
import { BATCH_CALLS } from '../../store.js'
import { quoted } from '../column-type.js'
import { wantsMemory } from '../engine-problem.js'
import { jsonStructure } from '../writing/json-structure.js'
import { type CallTable, type TableColumn, type TableFormat, callTables } from './call-tables.js'

/** A table that was written. */
export interface WrittenTable {
  readonly name: string
  readonly path: string
  readonly rows: number
  readonly bytes: number
}

export interface TablesOrder {
  /** Where a folder for it is made, for its owner alone; whoever gets it removes it. */
  readonly parent: string
  readonly format: TableFormat
  readonly text: 'full' | 'none'
  /** Only this table; undefined: all. */
  readonly only?: string | undefined
  /** Stops it. */
  readonly signal?: AbortSignal
}

/** Tables in a folder of their own. */
export interface TablesFolder {
  readonly folder: string
  readonly tables: readonly WrittenTable[]
}

/** Memory and threads of an engine that stands beside the store's. */
const MEMORY_LIMIT = '256MB'
const THREADS = '1'

/** Text of calls that is given to the engine at a time: each piece is a statement a table, of some milliseconds. */
const PIECE_BYTES = 2 * 1024 * 1024

const NEWLINE = 0x0a

/** What begins like a formula to a spreadsheet gets an apostrophe ahead, as in every other CSV of ours. */
const FORMULA = String.raw`^[=+\-@\t\r＝＋－＠]`

/**
 * Writes calls as tables for warehouses, by an engine of its own that reaches nothing but the folder it makes.
 * @param lines call records as NDJSON, in pieces of any length
 * @throws Problem `store_unavailable` when the disk is full, `too_large` where rows are too long for its memory; nothing is left then, nor
 *   after any other error
 */
export async function writeCallTables(
  lines: AsyncIterable<string | Buffer>,
  order: TablesOrder,
): Promise<TablesFolder> {
  await makeDirectory(order.parent)
  const folder = await mkdtemp(join(order.parent, '.tables-'))
  try {
    return { folder, tables: await write(lines, folder, order) }
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw problemOf(error)
  }
}

async function write(
  lines: AsyncIterable<string | Buffer>,
  folder: string,
  { format, text, only, signal }: TablesOrder,
): Promise<readonly WrittenTable[]> {
  const work = join(folder, 'work')
  await mkdir(work)
  const instance = await DuckDBInstance.create(':memory:', {
    memory_limit: MEMORY_LIMIT,
    threads: THREADS,
    temp_directory: work,
    autoload_known_extensions: 'false',
    autoinstall_known_extensions: 'false',
  })
  try {
    const connection = await instance.connect()
    const stop = (): void => connection.interrupt()
    signal?.addEventListener('abort', stop, { once: true })
    try {
      await confine(connection, folder, work)
      const tables = callTables(text).filter(({ name }) => only === undefined || name === only)
      await fill(connection, { tables, format, signal }, lines)
      const written: WrittenTable[] = []
      for (const { name } of tables) {
        signal?.throwIfAborted()
        const path = join(folder, `${name}.${format}`)
        const copied = await connection.run(`copy ${quoted(name)} to ${literal(path)} (${OPTIONS[format]})`)
        written.push({ name, path, rows: copied.rowsChanged, bytes: (await stat(path)).size })
      }
      return written
    } catch (error) {
      signal?.throwIfAborted()
      throw error
    } finally {
      signal?.removeEventListener('abort', stop)
      connection.closeSync()
    }
  } finally {
    instance.closeSync()
    await rm(work, { recursive: true, force: true })
  }
}

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`

const recordStructure = Object.fromEntries(callFields.map(({ name, type }) => [name, jsonStructure(type)]))

/** Some calls, of lines in $1. */
const PIECE = `create or replace temp table piece as
select unnest(json_transform(line, ${literal(JSON.stringify(recordStructure))}))
from (select unnest(string_split($1, chr(10))) as line) where line <> ''`

const OPTIONS: Readonly<Record<TableFormat, string>> = {
  parquet: 'format parquet, compression zstd',
  csv: 'format csv, header true',
}

/** The engine's tables lie in a file, of blocks as small as those of the store. */
async function confine(connection: DuckDBConnection, folder: string, work: string): Promise<void> {
  const file = literal(join(work, 'calls.duckdb'))
  await connection.run(`attach ${file} as work (storage_version 'v1.5.0', row_group_size ${BATCH_CALLS})`)
  await connection.run('use work')
  await connection.run(`set global allowed_directories = [${literal(`${folder}/`)}]`)
  await connection.run('set global enable_external_access = false')
  await connection.run(`set global TimeZone = 'UTC'`)
  await connection.run('set global lock_configuration = true')
}

interface Filling {
  readonly tables: readonly CallTable[]
  readonly format: TableFormat
  readonly signal: AbortSignal | undefined
}

/**
 * Fills each table from a piece at a time. Of whole calls in one table the engine would unpack 2,048 at once, which is more memory than it
 * has where they are an hour long.
 */
async function fill(
  connection: DuckDBConnection,
  { tables, format, signal }: Filling,
  lines: AsyncIterable<string | Buffer>,
): Promise<void> {
  await connection.run(PIECE, [''])
  const filled = tables.map(table => ({ name: quoted(table.name), rows: rowsSql(table, format) }))
  for (const { name, rows } of filled) await connection.run(`create table ${name} as ${rows}`)
  // Written as it comes, not at the end: what is not whole is removed in any case.
  await connection.run('begin')
  for await (const piece of wholeLines(lines)) {
    signal?.throwIfAborted()
    await connection.run(PIECE, [piece])
    for (const { name, rows } of filled) await connection.run(`insert into ${name} ${rows}`)
  }
}

/** Pieces of whole lines as text, of about PIECE_BYTES or one line. */
async function* wholeLines(pieces: AsyncIterable<string | Buffer>): AsyncGenerator<string> {
  let held: Buffer[] = []
  let bytes = 0
  for await (const piece of pieces) {
    const chunk = typeof piece === 'string' ? Buffer.from(piece) : piece
    const end = chunk.lastIndexOf(NEWLINE)
    if (end === -1 || bytes + chunk.length < PIECE_BYTES) {
      held.push(chunk)
      bytes += chunk.length
      continue
    }
    yield Buffer.concat([...held, chunk.subarray(0, end)]).toString()
    held = [chunk.subarray(end + 1)]
    bytes = chunk.length - end - 1
  }
  if (bytes > 0) yield Buffer.concat(held).toString()
}

/** The rows of a table, of the calls in the piece. */
function rowsSql({ list, columns }: CallTable, format: TableFormat): string {
  const cells = columns.map(column => `${cellSql(column, format)} as ${quoted(column.name)}`).join(', ')
  const from =
    list === undefined
      ? 'piece'
      : `(select session_id, unnest(${quoted(list)}) as e, generate_subscripts(${quoted(list)}, 1)::INTEGER - 1 as position from piece)`
  return `select ${cells} from ${from}`
}

function cellSql({ sql, type }: TableColumn, format: TableFormat): string {
  if (format === 'parquet') return sql
  if (type === 'TIMESTAMPTZ') return `strftime(${sql} at time zone 'UTC', '%Y-%m-%dT%H:%M:%S.%gZ')`
  if (type !== 'VARCHAR') return sql
  return `case when regexp_matches(${sql}, ${literal(FORMULA)}) then '''' || ${sql} else ${sql} end`
}

function problemOf(error: unknown): unknown {
  if (isFullDisk(error)) return new Problem('store_unavailable', 'The disk is full; nothing was kept of the tables')
  if (!wantsMemory(error)) return error
  return new Problem(
    'too_large',
    `Rows of these tables are too long: ${BATCH_CALLS} of one are held at once, in ${MEMORY_LIMIT} of memory. Export the calls as records, or without text`,
  )
}

function isFullDisk(error: unknown): boolean {
  return error instanceof Error && /No space left|ENOSPC/i.test(error.message)
}
