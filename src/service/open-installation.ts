import type { Logger } from 'pino'
import { Keys } from '../access/keys.js'
import { Projects } from '../access/projects.js'
import type { Config } from '../config.js'
import { openDuckDbStore } from '../store/duckdb/open-duckdb-store.js'
import type { Store } from '../store/store.js'

/** What is kept: the calls, the projects and the keys. Commands work on it directly when no server holds it. */
export interface Installation {
  readonly store: Store
  readonly projects: Projects
  readonly keys: Keys
  /** Writes what is pending and closes the store. */
  close(): Promise<void>
}

/** Opens the store of the configuration. Rejects with a Problem for the operator, and leaves nothing open then. */
export async function openInstallation(config: Config, log: Logger): Promise<Installation> {
  const store = await openDuckDbStore({
    dataDir: config.dataDir,
    memoryLimit: `${Math.floor(config.memoryLimit / 1024)}KiB`,
    threads: config.threads,
    log,
  })
  try {
    const projects = await Projects.load(store.projects)
    const keys = await Keys.load({ store: store.keys, projects, log })
    const close = async (): Promise<void> => {
      try {
        await keys.close()
      } finally {
        await store.close()
      }
    }
    return { store, projects, keys, close }
  } catch (error) {
    await store.close()
    throw error
  }
}
