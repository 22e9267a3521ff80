import { BLOB, DuckDBBlobValue, type DuckDBConnection, DuckDBDataChunk, VARCHAR } from '@duckdb/node-api'
import { otherWork } from '../../../base/other-work.js'
import type { PreparedCall } from '../../store.js'

/** Rows copied before others are answered. */
const CHUNK_ROWS = 512

/** A chunk to copy through. Reused: the memory of a chunk only goes when JavaScript collects it, which sees no need to. */
export function stagingChunk(): DuckDBDataChunk {
  return DuckDBDataChunk.create([VARCHAR, VARCHAR, VARCHAR, BLOB], CHUNK_ROWS)
}

/**
 * Puts calls into the temporary table `staged (session_id, agent_id, agent_name, json)`, replacing what was there: with
 * external access off the engine reads no files. JSON is staged as bytes, which the copying takes as they are.
 */
export async function stageCalls(
  connection: DuckDBConnection,
  calls: readonly PreparedCall[],
  chunk: DuckDBDataChunk = stagingChunk(),
): Promise<void> {
  await connection.run(
    'create or replace temp table staged (session_id VARCHAR, agent_id VARCHAR, agent_name VARCHAR, json BLOB)',
  )
  const appender = await connection.createAppender('staged', 'main', 'temp')
  try {
    for (let start = 0; start < calls.length; start += CHUNK_ROWS) {
      const part = calls.slice(start, start + CHUNK_ROWS)
      chunk.reset()
      chunk.rowCount = part.length
      chunk.setColumns([
        part.map(call => call.session_id),
        part.map(call => call.agent_id),
        part.map(call => call.agent_name),
        part.map(({ json }) => new DuckDBBlobValue(typeof json === 'string' ? Buffer.from(json) : json)),
      ])
      appender.appendDataChunk(chunk)
      // oxlint-disable-next-line no-await-in-loop -- one chunk at a time is the purpose: others are answered between
      await otherWork()
    }
  } finally {
    appender.closeSync()
  }
}
