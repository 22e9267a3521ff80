import { migrations } from './migrations/migrations.js'
import { connectTo, openEngine } from './open-engine.js'
import { openProblem } from './open-problem.js'
import { StoreFiles } from './store-files.js'
import { storeVersion } from './store-version.js'

/** What a look at a store tells; `none` where there is no store yet. */
export type StoreLook = 'none' | { readonly version: number; readonly newest: number; readonly bytes: number }

/**
 * Looks whether the store of a data directory can be opened, without migrating it or making one. Rejects with a Problem
 * for the operator: StoreHeld while another process has it, or what is wrong with it.
 */
export async function lookAtStore(dataDir: string): Promise<StoreLook> {
  const files = StoreFiles.at(dataDir)
  if (!files.exists()) return 'none'
  const options = { dataDir: files.dataDir, memoryLimit: '512MB', threads: 1 }
  const instance = await openEngine(files.file, options).catch((error: unknown) => {
    throw openProblem(error, files.dataDir)
  })
  try {
    const version = await storeVersion(await connectTo(instance))
    return { version, newest: migrations.at(-1)?.version ?? 0, bytes: files.bytes() }
  } finally {
    instance.closeSync()
  }
}
