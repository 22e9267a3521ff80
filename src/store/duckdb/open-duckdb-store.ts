import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { Problem } from '../../base/problem.js'
import { defaultRestBounds } from '../rest-bounds.js'
import { RestPool } from '../rest-pool.js'
import { checkColumns } from './check-columns.js'
import { ConnectionLane } from './connection-lane.js'
import type { DuckDbStoreOptions } from './duckdb-store-options.js'
import { DuckDbStore } from './duckdb-store.js'
import { erasureSecret } from './erasure-secret.js'
import { migrate } from './migrate.js'
import { migrations } from './migrations/migrations.js'
import { TEMP_FOLDER, connectTo, openEngine } from './open-engine.js'
import { openProblem } from './open-problem.js'
import { Reader } from './reader.js'
import { StoreFiles } from './store-files.js'
import { storeVersion } from './store-version.js'
import { checkThreadPool, threadPoolSize } from './thread-pool.js'
import { Writer } from './writer.js'

/** Directories whose store this process has open: the engine's lock keeps out other processes only. */
const open = new Set<string>()

/**
 * Opens the embedded store of a data directory, making or migrating it as needed. Rejects with a Problem whose sentence
 * is for the operator: the directory in use (it names the process), a store of a newer program, a damaged file, a
 * thread pool too small.
 */
export async function openDuckDbStore(options: DuckDbStoreOptions): Promise<DuckDbStore> {
  const { maxLight = 4, maxHeavy = 2, maxWaitingLight = 256, maxWaitingHeavy = 16 } = options
  checkThreadPool(options.threadPoolSize ?? threadPoolSize(), maxLight + maxHeavy + 1)
  // The engine makes its log and spill files whenever it likes; only the umask reaches them.
  process.umask(0o077)
  const files = StoreFiles.in(options.dataDir)
  const { dataDir } = files
  if (open.has(dataDir))
    throw new Problem('conflict', `The data directory ${dataDir} is in use by this process already`)
  open.add(dataDir)
  const settings = { ...options, dataDir }
  let instance: DuckDBInstance | undefined
  try {
    if (!files.exists()) await create(files, settings)
    instance = await engine(files.file, settings)
    files.sweep(TEMP_FOLDER)
    files.protect()
    const writing = await connectTo(instance)
    const before = await prepare(writing, dataDir)
    const secret = await erasureSecret(writing)
    options.log?.info({ data_dir: dataDir, version_before: before }, 'store opened')
    const reader = new Reader({
      light: new ConnectionLane('light', await connections(instance, maxLight), maxWaitingLight),
      heavy: new ConnectionLane('heavy', await connections(instance, maxHeavy), maxWaitingHeavy),
    })
    const opened = instance
    const closeEngine = () => {
      opened.closeSync()
      open.delete(dataDir)
    }
    const restBounds = { ...defaultRestBounds, ...options.rest }
    return new DuckDbStore({
      writer: new Writer(writing),
      reader,
      rest: new RestPool(restBounds),
      restBounds,
      secret,
      bytes: () => files.bytes(),
      closeEngine,
    })
  } catch (error) {
    instance?.closeSync()
    open.delete(dataDir)
    throw error
  }
}

function connections(instance: DuckDBInstance, count: number): Promise<DuckDBConnection[]> {
  return Promise.all(Array.from({ length: count }, () => connectTo(instance)))
}

async function engine(file: string, options: DuckDbStoreOptions): Promise<DuckDBInstance> {
  try {
    return await openEngine(file, options)
  } catch (error) {
    throw openProblem(error, options.dataDir)
  }
}

/**
 * Makes a new store under another name and links it when it is whole. So the store's name never stands for a half-made
 * file, and a file without tables under that name is damage, not a new store.
 */
async function create(files: StoreFiles, options: DuckDbStoreOptions): Promise<void> {
  const newFile = files.newFile()
  const instance = await engine(newFile, options)
  try {
    const connection = await connectTo(instance)
    await migrate(connection, migrations, options.dataDir)
    await connection.run('checkpoint')
    connection.closeSync()
  } finally {
    instance.closeSync()
  }
  files.adopt(newFile)
}

/** Migrates and checks an opened store; gives back the version it had. */
async function prepare(connection: DuckDBConnection, dataDir: string): Promise<number> {
  if ((await storeVersion(connection)) === 0) {
    throw new Problem('store_unavailable', `The file in ${dataDir} is not a store of this program. Restore a backup.`)
  }
  const before = await migrate(connection, migrations, dataDir)
  await checkColumns(connection)
  return before
}
