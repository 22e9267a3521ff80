import type { DuckDbStoreOptions } from '../duckdb-store-options.js'
import { migrate } from './migrate.js'
import { migrations } from '../migrations/migrations.js'
import { connectTo, openEngine } from './open-engine.js'
import { openProblem } from './open-problem.js'

/** Makes a new, empty store in a file that is not there. */
export async function makeStore(file: string, options: DuckDbStoreOptions): Promise<void> {
  const instance = await openEngine(file, options).catch((error: unknown) => {
    throw openProblem(error, options.dataDir)
  })
  try {
    const connection = await connectTo(instance)
    await migrate(connection, migrations, options.dataDir)
    await connection.run('checkpoint')
    connection.closeSync()
  } finally {
    instance.closeSync()
  }
}
