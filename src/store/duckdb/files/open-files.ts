import { randomBytes } from 'node:crypto'
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { Problem } from '../../../base/problem.js'
import type { AcknowledgedWrites } from './acknowledged-writes.js'
import { ConnectionLane } from '../reading/connection-lane.js'
import { defaultLanes, type DuckDbStoreOptions } from '../duckdb-store-options.js'
import { closeEngine } from './close-engine.js'
import { migrate } from './migrate.js'
import { storePosition } from '../migrations/006-store-position.js'
import { migrations } from '../migrations/migrations.js'
import { newestVersion } from '../migrations/newest-version.js'
import { TEMP_FOLDER, connectTo, openEngine } from './open-engine.js'
import { openProblem, readProblem } from './open-problem.js'
import { Reader } from '../reading/reader.js'
import { reconcile } from './reconcile.js'
import type { StoreFiles } from './store-files.js'
import { storeVersion } from './store-version.js'
import { Writer } from '../writing/writer.js'
import { callColumnList } from '../call-columns.js'

/** Exports of one project that wait: one runs at a time. */
const MOST_WAITING_EXPORTS = 4

/** An engine over the store's files, with what reads and writes through it. */
export interface OpenEngine {
  readonly reader: Reader
  readonly writer: Writer
  readonly secret: string
  /** Ends what reads, lets writes end, folds the log into the file, closes. */
  close(): Promise<void>
  /** Ends everything with this reason and lets the files go as they are. */
  abandon(reason: Problem): Promise<void>
}

/** Opens the files of a store that is there: migrates it, checks it, and checks that no acknowledged write is missing. */
export async function openFiles(
  files: StoreFiles,
  options: DuckDbStoreOptions,
  acknowledged: AcknowledgedWrites,
): Promise<OpenEngine> {
  const { maxLight, maxHeavy, maxBulk } = { ...defaultLanes, ...options }
  const { maxWaitingLight = 256, maxWaitingHeavy = 64, log } = options
  const instance = await openEngine(files.file, options).catch((error: unknown) => {
    throw openProblem(error, files.dataDir)
  })
  const opened: DuckDBConnection[] = []
  const connect = async () => {
    const connection = await connectTo(instance)
    opened.push(connection)
    return connection
  }
  const connections = (count: number) => Promise.all(Array.from({ length: count }, connect))
  try {
    files.sweep(TEMP_FOLDER)
    files.protect()
    const connection = await connect()
    const version = await versionOf(connection, files.dataDir)
    const check = () => reconcile(connection, files, acknowledged, options)
    // Before anything is changed, where the store can tell already.
    if (version >= storePosition.version) await check()
    // Of many calls it takes minutes, in which nothing answers.
    if (version < newestVersion) log?.info({ version_before: version, version: newestVersion }, 'the store is updated')
    await migrate(connection, migrations, files.dataDir)
    await checkColumns(connection)
    const position = await check()
    const secret = await erasureSecret(connection)
    const heavy = new ConnectionLane('heavy', await connections(maxHeavy), maxWaitingHeavy, keptOf(maxHeavy))
    const reader = new Reader({
      light: new ConnectionLane(
        'light',
        await connections(maxLight),
        maxWaitingLight,
        keptOf(maxLight),
        () => heavy.load.running,
      ),
      heavy,
      bulk: new ConnectionLane('bulk', await connections(maxBulk), MOST_WAITING_EXPORTS, maxBulk - 1),
    })
    const [holder, maker] = [await connect(), await connect()]
    const writer = new Writer({
      connection,
      holder,
      maker,
      position,
      acknowledged,
      logBytes: () => files.logBytes(),
      isReadSlowly: () => reader.isLeased,
    })
    log?.info({ data_dir: files.dataDir, version_before: version, writes: position.writes }, 'store opened')
    return { reader, writer, secret, ...endings(instance, files, reader, writer) }
  } catch (error) {
    for (const connection of opened) connection.closeSync()
    await closeEngine(instance, files.file)
    throw readProblem(error, files.dataDir)
  }
}

/** One connection of some is there for a project that has none. */
function keptOf(connections: number): number {
  return connections > 2 ? 1 : 0
}

function endings(
  instance: DuckDBInstance,
  files: StoreFiles,
  reader: Reader,
  writer: Writer,
): Pick<OpenEngine, 'close' | 'abandon'> {
  return {
    close: async () => {
      try {
        // Readers first, so that none holds a snapshot during the checkpoint.
        await reader.close()
        await writer.checkpoint()
      } finally {
        await writer.close()
        await closeEngine(instance, files.file)
      }
    },
    abandon: async reason => {
      await Promise.all([reader.close(reason), writer.close(reason)])
      await closeEngine(instance, files.file)
    },
  }
}

async function versionOf(connection: DuckDBConnection, dataDir: string): Promise<number> {
  const version = await storeVersion(connection)
  if (version > 0) return version
  throw new Problem('store_unavailable', `The file in ${dataDir} is not a store of this program. Restore a backup.`)
}

/** Of this table alone: the list of all tables' columns takes a fifth of opening a small store. */
async function columnsOf(connection: DuckDBConnection, table: 'calls' | 'wanted_calls'): Promise<Map<string, string>> {
  const reader = await connection.runAndReadAll(
    `select name, type || if("notnull", ' NOT NULL', '') from pragma_table_info('${table}')`,
  )
  return new Map(reader.getRowsJS().map(([name, type]) => [name as string, type as string]))
}

/**
 * Checks that the table of calls has exactly the columns the record's schema asks for; the order is free. A difference
 * is a mistake of ours, a change of the record without a migration: it must show at start and not as a field that
 * stays empty.
 */
export async function checkColumns(connection: DuckDBConnection): Promise<void> {
  await connection.run(`create temp table wanted_calls (${callColumnList})`)
  const wanted = await columnsOf(connection, 'wanted_calls')
  await connection.run('drop table wanted_calls')
  const present = await columnsOf(connection, 'calls')
  const names = new Set([...wanted.keys(), ...present.keys()])
  const different = [...names].filter(name => wanted.get(name) !== present.get(name))
  if (different.length === 0) return
  const list = different.map(name => `${name}: ${present.get(name) ?? 'none'} -> ${wanted.get(name) ?? 'none'}`)
  throw new Error(`The record's schema changed without a migration of the table calls: ${list.join('; ')}`)
}

/**
 * The secret that keys the hashes of erased ids. It lives in the store and not in a file of its own, so that a backup
 * always holds both: without it erased calls could come back unnoticed.
 */
async function erasureSecret(connection: DuckDBConnection): Promise<string> {
  const rows = await connection.runAndReadAll(`select secret from secrets where name = 'erasure'`)
  const kept = rows.getRowsJS()[0]?.[0]
  if (kept !== undefined) return kept as string
  // Only where there is none: to try takes a sixth of opening a small store.
  const secret = randomBytes(32).toString('hex')
  await connection.run(`insert into secrets values ('erasure', $1)`, [secret])
  return secret
}
