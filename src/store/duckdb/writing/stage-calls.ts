import { type DuckDBConnection, type DuckDBValue, VARCHAR } from '@duckdb/node-api'
import type { PreparedCall } from '../../store.js'
import { StagingTable } from './staging-table.js'

const staged = new StagingTable<PreparedCall>(
  'staged',
  [
    { name: 'session_id', type: VARCHAR, of: call => call.session_id },
    { name: 'agent_id', type: VARCHAR, of: call => call.agent_id },
    { name: 'agent_name', type: VARCHAR, of: call => call.agent_name },
  ],
  call => call.json,
)

/**
 * Runs a statement over calls, some at a time: each slice in turn is what the temporary table `staged (session_id, agent_id, agent_name,
 * json)` holds. The statement is planned once: a large one takes some 4 ms.
 */
export async function overStaged(
  connection: DuckDBConnection,
  slices: Iterable<readonly PreparedCall[]>,
  { statement, values }: { readonly statement: string; readonly values: DuckDBValue[] },
): Promise<void> {
  await staged.make(connection)
  const prepared = await connection.prepare(statement)
  try {
    // oxlint-disable no-await-in-loop -- a slice at a time bounds the memory
    for (const slice of slices) {
      await staged.add(connection, slice)
      prepared.bind(values)
      await prepared.run()
      await staged.clear(connection)
    }
    // oxlint-enable no-await-in-loop
  } finally {
    prepared.destroySync()
  }
}
