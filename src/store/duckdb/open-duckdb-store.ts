import { Problem } from '../../base/problem.js'
import { defaultRestBounds } from '../rest-bounds.js'
import { RestPool } from '../rest-pool.js'
import { AcknowledgedWrites } from './files/acknowledged-writes.js'
import { defaultLanes, type DuckDbStoreOptions } from './duckdb-store-options.js'
import { DuckDbStore } from './duckdb-store.js'
import { Engine } from './engine.js'
import { makeStore } from './files/make-store.js'
import { missingStore } from './files/missing-store.js'
import { noStore, refuseNoDirectory } from './files/no-store.js'
import { openFiles } from './files/open-files.js'
import { RememberedAnswers } from './reading/remembered-answers.js'
import { StoreFiles } from './files/store-files.js'
import { checkThreadPool, threadPoolSize } from './thread-pool.js'

/** Directories whose store this process has open: the engine's lock keeps out other processes only. */
const open = new Set<string>()

/**
 * Opens the embedded store of a data directory, making or migrating it as needed. Rejects with a Problem whose sentence
 * is for the operator: the directory in use (it names the process), a store of a newer program, a damaged file,
 * acknowledged writes that are missing, a thread pool too small.
 */
export async function openDuckDbStore(options: DuckDbStoreOptions): Promise<DuckDbStore> {
  const { maxLight, maxHeavy, maxBulk } = { ...defaultLanes, ...options }
  checkThreadPool(options.threadPoolSize ?? threadPoolSize(), maxLight + maxHeavy + maxBulk + 1)
  // The engine makes its log and spill files whenever it likes; only the umask reaches them.
  process.umask(0o077)
  if (options.mustBeThere === true) refuseNoDirectory(options.dataDir)
  const files = await StoreFiles.in(options.dataDir)
  const { dataDir } = files
  if (open.has(dataDir))
    throw new Problem('conflict', `The data directory ${dataDir} is in use by this process already`)
  open.add(dataDir)
  const settings = { ...options, dataDir }
  const acknowledged = new AcknowledgedWrites(files.acknowledged)
  const done = async () => {
    await acknowledged.close()
    open.delete(dataDir)
  }
  try {
    const missing = await missingStore(files, options.expected)
    if (missing === 'new' && options.mustBeThere === true) throw noStore(dataDir)
    if (missing !== undefined && missing !== 'new') missing.accept(settings)
    if (missing !== undefined) await create(files, settings)
    const engine = await Engine.start({
      open: memoryLimit => openFiles(files, { ...settings, memoryLimit }, acknowledged),
      memory: [...(options.smallMemory ?? []), options.memoryLimit],
      files,
      log: options.log,
      retryMs: options.retryMs,
      renewAfterWrites: options.renewAfterWrites,
    })
    const restBounds = { ...defaultRestBounds, ...options.rest }
    const remembered = new RememberedAnswers(options.rememberBytes ?? 0)
    const rest = new RestPool(restBounds)
    return new DuckDbStore({
      engine,
      remembered,
      rest,
      restBounds,
      countedAtOnce: options.countedAtOnce,
      wordSegment: options.wordSegment,
      sessionRun: options.sessionRun,
      bytes: () => files.bytes(),
      done,
    })
  } catch (error) {
    await done()
    throw error
  }
}

/**
 * Makes a new store under another name and links it when it is whole. So the store's name never stands for a half-made
 * file, and a file without tables under that name is damage, not a new store.
 */
async function create(files: StoreFiles, options: DuckDbStoreOptions): Promise<void> {
  const newFile = files.newFile()
  await makeStore(newFile, options)
  files.adopt(newFile)
}
