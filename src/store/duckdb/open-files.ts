import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { Problem } from '../../base/problem.js'
import type { AcknowledgedWrites } from './acknowledged-writes.js'
import { checkColumns } from './check-columns.js'
import { ConnectionLane } from './connection-lane.js'
import { defaultLanes, type DuckDbStoreOptions } from './duckdb-store-options.js'
import { erasureSecret } from './erasure-secret.js'
import { letGo } from './let-go.js'
import { migrate } from './migrate.js'
import { storePosition } from './migrations/006-store-position.js'
import { migrations } from './migrations/migrations.js'
import { TEMP_FOLDER, connectTo, openEngine } from './open-engine.js'
import { openProblem, readProblem } from './open-problem.js'
import { Reader } from './reader.js'
import { reconcile } from './reconcile.js'
import type { StoreFiles } from './store-files.js'
import { storeVersion } from './store-version.js'
import { Writer } from './writer.js'

/** Exports of one project that wait: one runs at a time. */
const MAX_WAITING_BULK = 4

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
    await migrate(connection, migrations, files.dataDir)
    await checkColumns(connection)
    const position = await check()
    const secret = await erasureSecret(connection)
    const reader = new Reader({
      light: new ConnectionLane('light', await connections(maxLight), maxWaitingLight, keptOf(maxLight)),
      heavy: new ConnectionLane('heavy', await connections(maxHeavy), maxWaitingHeavy, keptOf(maxHeavy)),
      bulk: new ConnectionLane('bulk', await connections(maxBulk), MAX_WAITING_BULK, maxBulk - 1),
    })
    const writer = new Writer({ connection, position, acknowledged })
    log?.info({ data_dir: files.dataDir, version_before: version, writes: position.writes }, 'store opened')
    return { reader, writer, secret, ...endings(instance, files, reader, writer) }
  } catch (error) {
    for (const connection of opened) connection.closeSync()
    await letGo(instance, files.file)
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
        await letGo(instance, files.file)
      }
    },
    abandon: async reason => {
      await Promise.all([reader.close(reason), writer.close(reason)])
      await letGo(instance, files.file)
    },
  }
}

async function versionOf(connection: DuckDBConnection, dataDir: string): Promise<number> {
  const version = await storeVersion(connection)
  if (version > 0) return version
  throw new Problem('store_unavailable', `The file in ${dataDir} is not a store of this program. Restore a backup.`)
}
