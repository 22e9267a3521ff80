import type { DuckDBConnection } from '@duckdb/node-api'
import { Problem } from '../../../base/problem.js'
import type { Migration } from '../migrations/migration.js'
import { storeVersion } from './store-version.js'

async function apply(connection: DuckDBConnection, steps: readonly Migration[]): Promise<void> {
  await connection.run('begin transaction')
  try {
    for (const step of steps) for (const statement of step.statements) await connection.run(statement)
    await connection.run(
      `insert into migrations values ${steps.map((_, i) => `($${2 * i + 1}::INTEGER, $${2 * i + 2}, now()::TIMESTAMP)`).join(', ')}`,
      steps.flatMap(({ version, name }) => [version, name]),
    )
    await connection.run('commit')
  } catch (error) {
    await connection.run('rollback').catch(() => undefined)
    throw error
  }
}

/**
 * Brings a store to the version of this program, a transaction a step; one that is new in a single one, a third of the work. Gives
 * back the version it had; a Problem for a store that a newer program wrote, in which nothing is touched.
 */
export async function migrate(
  connection: DuckDBConnection,
  steps: readonly Migration[],
  dataDir: string,
): Promise<number> {
  const found = await storeVersion(connection)
  const known = steps.at(-1)?.version ?? 0
  if (found > known) {
    throw new Problem(
      'conflict',
      `The store in ${dataDir} has version ${found} and this program knows versions up to ${known}: it was written by a newer program. Update this one, or restore a backup made before the update.`,
    )
  }
  await connection.run(
    'create table if not exists migrations (version INTEGER PRIMARY KEY, name VARCHAR NOT NULL, applied_at TIMESTAMP NOT NULL)',
  )
  const missing = steps.filter(({ version }) => version > found)
  for (const some of found === 0 ? [missing] : missing.map(step => [step])) await apply(connection, some)
  return found
}
