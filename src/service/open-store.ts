import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { ownDirectory } from '../base/own-directory.js'
import type { Config } from '../config.js'
import type { DuckDbStoreOptions } from '../store/duckdb/duckdb-store-options.js'
import { FILE } from '../store/duckdb/files/store-files.js'
import { openDuckDbStore } from '../store/duckdb/open-duckdb-store.js'
import type { SharedExtras } from '../store/shared-extras.js'
import type { EmbeddedExtras, Store } from '../store/store.js'
import { isEmbedded } from './elsewhere.js'
import { expectedStore } from './expected-store.js'

/** How what a command opens may differ from a server's; a store elsewhere heeds the first alone. */
export type EngineOptions = Pick<
  DuckDbStoreOptions,
  | 'mustBeThere'
  | 'giveBackFrom'
  | 'checkpointFrom'
  | 'renewAfterWrites'
  | 'smallMemory'
  | 'maxLight'
  | 'maxHeavy'
  | 'maxBulk'
>

interface OpenOptions extends EngineOptions {
  /** Hears the names of losses that the operator accepted. */
  readonly onLossAccepted: (name: string) => void
}

/** The store, and what only one of a data directory can do or only one of several processes. */
export type OpenedStore = { readonly store: Store } & (
  | { readonly embedded: EmbeddedExtras; readonly shared: undefined }
  | { readonly embedded: undefined; readonly shared: SharedExtras }
)

/** Opens the store that the configuration names. Rejects with a Problem for the operator, and leaves nothing open then. */
export async function openStore(
  config: Config,
  log: Logger,
  { onLossAccepted, ...engine }: OpenOptions,
): Promise<OpenedStore> {
  const rest = {
    documents: config.maxEvaluatedDocuments,
    bytes: config.maxEvaluatedBytes,
    heapMib: Math.floor(config.evaluationMemory / 1024 / 1024),
  }
  if (!isEmbedded(config)) {
    const dataDir = await ownDirectory(config.dataDir)
    if (existsSync(join(dataDir, FILE))) {
      log.warn(`${join(dataDir, FILE)} is not read: EARSHOT_STORE_URL names another store`)
    }
    // Its driver is loaded where there is such a store.
    const { openMongoStore } = await import('../store/mongodb/open-mongodb-store.js')
    const store = await openMongoStore(config.storeUrl, {
      rest,
      mustBeThere: engine.mustBeThere === true,
      leaseMs: config.storeLease,
    })
    return { store, embedded: undefined, shared: store }
  }
  const store = await openDuckDbStore({
    dataDir: config.dataDir,
    memoryLimit: `${Math.floor(config.memoryLimit / 1024)}KiB`,
    threads: config.threads,
    rememberBytes: config.rememberedAnswers,
    rest,
    acceptLoss: config.acceptLoss,
    onLossAccepted,
    expected: await expectedStore(config.dataDir),
    ...engine,
    log,
  })
  return { store, embedded: store, shared: undefined }
}
