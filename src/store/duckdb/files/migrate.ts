import type { DuckDBConnection } from '@duckdb/node-api'
import { Problem } from '../../../base/problem.js'
import type { Migration } from '../migrations/migration.js'
import { storeVersion } from './store-version.js'

async function apply(connection: DuckDBConnection, step: Migration): Promise<void> {
  await connection.run('begin transaction')
  try {
    for (const statement of step.statements) await connection.run(statement)
    await connection.run('insert into migrations values ($1::INTEGER, $2, now()::TIMESTAMP)', [step.version, step.name])
    await connection.run('commit')
  } catch (error) {
    await connection.run('rollback').catch(() => undefined)
    throw error
  }
}

/**
 * Brings a store to the version of this program, a transaction a step. Gives back the version it had; a Problem for a
 * store that a newer program wrote, in which nothing is touched.
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
  for (const step of steps) if (step.version > found) await apply(connection, step)
  return found
}
