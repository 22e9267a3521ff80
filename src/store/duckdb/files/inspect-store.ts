import type { Problem } from '../../../base/problem.js'
import { AcknowledgedWrites } from './acknowledged-writes.js'
import type { Expected } from '../duckdb-store-options.js'
import { lossProblem, lostWrites } from './lost-writes.js'
import { storePosition } from '../migrations/006-store-position.js'
import { newestVersion } from '../migrations/newest-version.js'
import { missingStore } from './missing-store.js'
import { connectTo, openEngine } from './open-engine.js'
import { openProblem, readProblem } from './open-problem.js'
import { refuseCut } from './refuse-cut.js'
import { StoreFiles } from './store-files.js'
import { readPosition } from './store-position.js'
import { storeVersion } from './store-version.js'

/** What a look at a store tells; `none` where there is no store yet. */
export type StoreState =
  | 'none'
  | {
      readonly version: number
      readonly newest: number
      readonly bytes: number
      /** What is missing of what was acknowledged. */
      readonly loss?: Problem
      /** Whether the record of what was acknowledged could be read: without it nothing can be told to be missing. */
      readonly recorded: boolean
    }

/**
 * Looks whether the store of a data directory can be opened, without migrating it or making one. Rejects with a Problem
 * for the operator: StoreHeld while another process has it, or what is wrong with it.
 */
export async function inspectStore(dataDir: string, expected?: Expected): Promise<StoreState> {
  const files = StoreFiles.at(dataDir)
  const missing = await missingStore(files, expected)
  if (missing === 'new') return 'none'
  if (missing !== undefined) throw missing.problem
  const hasLog = files.hasLog()
  const options = { dataDir: files.dataDir, memoryLimit: '512MB', threads: 1 }
  const instance = await openEngine(files.file, options).catch((error: unknown) => {
    throw openProblem(error, files.dataDir)
  })
  const connection = await connectTo(instance)
  try {
    if (!hasLog) await refuseCut(connection, files)
    const version = await storeVersion(connection)
    const look = { version, newest: newestVersion, bytes: files.bytes() }
    if (version < storePosition.version) return { ...look, recorded: true }
    const recorded = await AcknowledgedWrites.read(files.acknowledged)
    const loss = lostWrites(await readPosition(connection), recorded)
    return {
      ...look,
      recorded: typeof recorded !== 'string',
      ...(loss === undefined ? {} : { loss: lossProblem(loss, files.dataDir) }),
    }
  } catch (error) {
    throw readProblem(error, files.dataDir)
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}
