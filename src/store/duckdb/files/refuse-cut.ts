import type { DuckDBConnection } from '@duckdb/node-api'
import { Problem } from '../../../base/problem.js'
import { DATABASE } from './open-engine.js'
import type { StoreFiles } from './store-files.js'

/** What the engine's file begins with: three headers, and then blocks. */
const HEADER_BYTES = 3 * 4096
const BLOCK_BYTES = 262_144

/**
 * Refuses a file that lacks blocks its tables are in, such as a copy that ended early: the engine opens it and fails where it
 * first reads what is missing. Only for a store without a log, which may name blocks that the file has no room for yet. (The
 * number of blocks in the file's own header doesn't tell: it counts free ones at the end, which are cut off on purpose.)
 * @throws Problem; the engine's own error where what says which blocks there are is missing itself
 */
export async function refuseCut(connection: DuckDBConnection, files: StoreFiles): Promise<void> {
  const tables = await connection.runAndReadAll(
    `select table_name from duckdb_tables() where database_name = '${DATABASE}'`,
  )
  let last = -1
  for (const [table] of tables.getRows()) {
    // oxlint-disable-next-line no-await-in-loop -- a table at a time bounds the memory
    const blocks = await connection.runAndReadAll(
      `select max(block_id) from pragma_storage_info('${String(table)}') where persistent`,
    )
    last = Math.max(last, Number(blocks.getRows()[0]?.[0] ?? -1))
  }
  const least = HEADER_BYTES + (last + 1) * BLOCK_BYTES
  const size = files.size() ?? 0
  if (size >= least) return
  throw new Problem(
    'store_unavailable',
    `The store's file ${files.file} is cut off: it has ${size} bytes and needs ${least}. Restore a backup`,
  )
}
