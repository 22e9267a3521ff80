import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { cpSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DuckDbStore } from '../../src/store/duckdb/duckdb-store.js'
import { NEW_NUMBER, sumBlocks, TABLES } from '../../src/store/duckdb/counts/count-days.js'
import { countedDays } from '../../src/store/duckdb/counts/listed-days.js'
import { runsOf } from '../../src/store/counted-parts.js'
import { blocksWithin, IS_ONE_DAY } from '../../src/store/day-blocks.js'
import { BATCH_CALLS } from '../../src/store/store.js'

/** The file of a data directory that holds its calls. */
export const storeFile = (dataDir: string): string => join(dataDir, 'earshot.duckdb')

/** Stores as databases of one engine, by names. No server may hold them. */
export class AttachedStores {
  readonly #connection: DuckDBConnection

  private constructor(connection: DuckDBConnection) {
    this.#connection = connection
  }

  static async with<T>(
    files: Readonly<Record<string, string>>,
    work: (stores: AttachedStores) => Promise<T>,
  ): Promise<T> {
    // Not in the folder that the command is called from.
    const temp_directory = await mkdtemp(join(tmpdir(), 'earshot-made-store-'))
    const instance = await DuckDBInstance.create(':memory:', { memory_limit: '3GB', temp_directory })
    const connection = await instance.connect()
    const stores = new AttachedStores(connection)
    try {
      for (const [name, file] of Object.entries(files)) {
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        await stores.rows(`attach '${file}' as ${name} (storage_version 'v1.5.0', row_group_size ${BATCH_CALLS})`)
      }
      return await work(stores)
    } finally {
      connection.closeSync()
      instance.closeSync()
      await rm(temp_directory, { recursive: true, force: true })
    }
  }

  async rows(sql: string): Promise<readonly (readonly unknown[])[]> {
    return (await this.#connection.runAndReadAll(sql)).getRowsJS()
  }

  /** Deletes all rows of tables of `target`. */
  async empty(tables: readonly string[]): Promise<void> {
    for (const table of tables) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await this.rows(`delete from target.${table}`)
    }
  }

  /**
   * Adds rows of a table to the same table of `target`.
   * @param changed columns that are something else there, in SQL over the row
   * @param from where the rows come from, and in which order
   */
  async copy(table: string, changed: Readonly<Record<string, string>>, from: string): Promise<void> {
    const columns = (await this.columnsOf(table)).map(name => `${changed[name] ?? `"${name}"`} as "${name}"`)
    await this.rows(`insert into target.${table} by name select ${columns.join(', ')} from ${from}`)
  }

  async columnsOf(table: string): Promise<readonly string[]> {
    const found = await this.rows(
      `select column_name from duckdb_columns() where database_name = 'target' and table_name = '${table}'`,
    )
    return found.map(([name]) => String(name))
  }

  /**
   * Has later writes of `target` counted on from its calls.
   * @returns how many writes there were
   */
  async numbersWritten(): Promise<number> {
    await this.rows('update target.store_position set writes = (select max(write_number) + 1 from target.calls)')
    const [row] = await this.rows('select writes::integer from target.store_position')
    return Number(row?.[0])
  }

  /** Adds up the blocks of several days of `target` that are wholly counted, some at once: all are more than memory holds. */
  async sumBlocks(projectId: string, progress: (done: number, all: number) => void): Promise<void> {
    await this.rows('use target')
    const days = await countedDays(
      async (sql, values) => (await this.#connection.runAndReadAll(sql, values)).getRowsJS(),
      projectId,
    )
    const blocks = runsOf(days).flatMap(run => blocksWithin(run))
    // Those that others are made of come first.
    const inOrder = (['part', 'half', 'month'] as const).flatMap(kind => blocks.filter(one => one.kind === kind))
    for (let at = 0; at < inOrder.length; at += SUMMED_AT_ONCE) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await sumBlocks(this.#connection, projectId, inOrder.slice(at, at + SUMMED_AT_ONCE))
      progress(Math.min(inOrder.length, at + SUMMED_AT_ONCE), inOrder.length)
    }
  }
}

const SUMMED_AT_ONCE = 8

/** What makes a call another one, in SQL: its id, with something behind it. */
export const otherId = (suffix: string): Readonly<Record<string, string>> => ({
  session_id: `session_id || '${suffix}'`,
  session_key: `md5_number_lower(session_id || '${suffix}')`,
  // It is in no index.
  place: 'null',
})

/** What is derived of calls: a store that other calls are put into has none of it. */
const DERIVED = ['words', 'word_segments', 'session_runs', 'session_entries', 'counted_days', ...TABLES]

/** The tables of calls, and of what is derived of them, without rows. */
export async function emptyCalls(stores: AttachedStores): Promise<void> {
  await stores.empty(['calls', ...DERIVED])
}

/** Days between two copies: what they are of is spread over as many. */
const DAYS_BETWEEN = 120

/** What makes a copy of calls others than those of the other copies, the oldest first: what their ids end with, and how many days earlier they were. */
export const copyBefore = (copy: number, times: number): { readonly suffix: string; readonly days: number } => ({
  suffix: times === 1 ? '' : `-${copy}`,
  days: DAYS_BETWEEN * (times - 1 - copy),
})

/**
 * Makes a directory of one that holds calls of one project: several times these, with other ids and days, each under later numbers of writes.
 * @param changed what else is different in a copy, in SQL over the row
 */
export async function repeatCalls(
  from: string,
  into: string,
  times: number,
  changed: (copy: number) => Readonly<Record<string, string>> = () => ({}),
): Promise<void> {
  cpSync(from, into, { recursive: true })
  await AttachedStores.with({ target: storeFile(into), source: storeFile(from) }, async stores => {
    await emptyCalls(stores)
    let written = 0
    // oxlint-disable no-await-in-loop -- the oldest first, as calls come
    for (let copy = 0; copy < times; copy += 1) {
      const { suffix, days } = copyBefore(copy, times)
      const columns = {
        ...otherId(suffix),
        created_dt: `created_dt - interval 1 day * ${days}`,
        write_number: `write_number + ${written}`,
        ...changed(copy),
      }
      await stores.copy('calls', columns, 'source.calls order by source.calls.rowid')
      written = await stores.numbersWritten()
      await stores.rows('checkpoint target')
    }
    // oxlint-enable no-await-in-loop
  })
}

/** The project of a store with most calls, and how many those are. */
export async function projectOf(store: DuckDbStore): Promise<{ readonly project: string; readonly calls: number }> {
  const { documents } = await store.query(
    {
      sql: 'select project_id, count(*)::integer from calls group by all order by 2 desc limit 1',
      params: [],
      decode: columns => columns as never,
    },
    { lane: 'heavy', deadlineMs: 600_000, maxRows: 1 },
  )
  const [project, calls] = documents[0] as unknown as readonly [string, number]
  return { project, calls }
}

/**
 * Makes `target`, a copy of `source` whose days are all counted, hold it several times, each copy just before the other. Of a
 * project whose days are those of UTC.
 */
export async function repeatCounted(
  stores: AttachedStores,
  projectId: string,
  times: number,
  progress: (text: string) => void,
): Promise<void> {
  const [row] = await stores.rows('select count(*)::integer from source.counted_days')
  const length = Number(row![0])
  await emptyCalls(stores)
  let written = 0
  for (let copy = times - 1; copy >= 0; copy -= 1) {
    const back = (column: string) => `${column} - interval 1 day * ${copy * length}`
    const shifted = (...columns: readonly string[]) =>
      Object.fromEntries(columns.map(name => [name, back(`"${name}"`)]))
    const day = back('day')
    // As blockOfDay numbers it.
    const block = `((year(${day}) * 12 + month(${day}) - 1) * 64 + day(${day}) - 1)::integer`
    // oxlint-disable no-await-in-loop -- the oldest first, as calls come
    await stores.copy(
      'calls',
      { ...(copy > 0 && otherId(`-c${copy}`)), ...shifted('created_dt'), write_number: `write_number + ${written}` },
      'source.calls order by source.calls.rowid',
    )
    const before = written
    written = await stores.numbersWritten()
    for (const table of TABLES) {
      const changed = { ...shifted('day'), block, ...(table === 'agent_days' && shifted('first', 'last')) }
      await stores.copy(table, changed, `source.${table} where ${IS_ONE_DAY} order by source.${table}.rowid`)
    }
    await stores.copy(
      'counted_days',
      {
        ...shifted('day', 'from_at', 'until_at', 'first_at', 'last_at'),
        counted_to: `counted_to + ${before}`,
        counting: NEW_NUMBER,
      },
      'source.counted_days order by from_at',
    )
    await stores.rows('checkpoint target')
    // oxlint-enable no-await-in-loop
    progress(`${times - copy} of ${times} copies`)
  }
  await stores.sumBlocks(projectId, (done, all) => progress(`${done} of ${all} blocks`))
}
